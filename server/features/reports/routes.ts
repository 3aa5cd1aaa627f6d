import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../deps.ts';
import { buildContentDisposition, toFileName } from '../../http/attachment.ts';
import { route } from '../../http/route.ts';
import { streamCsv } from './csv.ts';
import { readDashboard } from './dashboard.ts';
import { readFigureList, readReport } from './service.ts';

export function registerReportRoutes(app: FastifyInstance, deps: Deps) {
  route(app, deps, 'GET /api/admin/dashboard', {
    guard: 'admin',
    handler: async () => readDashboard(deps),
  });

  route(app, deps, 'GET /api/admin/reports/:name', {
    guard: 'admin',
    handler: async ({ params, query }) => readReport(deps, params.name, query),
  });

  route(app, deps, 'GET /api/admin/reports/:name/:figure', {
    guard: 'admin',
    handler: async ({ params, query }) => readFigureList(deps, params.name, params.figure, query),
  });

  route(app, deps, 'GET /api/admin/reports/:name.csv', {
    guard: 'admin',
    handler: async ({ params, query, reply }) => {
      const report = await readReport(deps, params.name, query);
      const name = toFileName([deps.config.siteName, report.title, report.from, report.to], 'csv');
      reply.headers({
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': buildContentDisposition(name),
      });
      return streamCsv(report);
    },
  });
}
