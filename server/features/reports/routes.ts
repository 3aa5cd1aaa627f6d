import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../deps.ts';
import { buildContentDisposition, toFileName } from '../../http/attachment.ts';
import { createRouter } from '../../http/route.ts';
import { streamCsv } from '../../http/csv.ts';
import { readDashboard } from './dashboard.ts';
import { readFigureList, readReport } from './service.ts';

export function registerReportRoutes(app: FastifyInstance, deps: Deps) {
  const router = createRouter(app, deps);
  router.admin('GET /api/admin/dashboard', () => readDashboard(deps));
  router.admin('GET /api/admin/reports/:name', ({ params, query }) =>
    readReport(deps, params.name, query),
  );
  router.admin('GET /api/admin/reports/:name/:figure', ({ params, query }) =>
    readFigureList(deps, params.name, params.figure, query),
  );
  router.admin('GET /api/admin/reports/:name.csv', async ({ params, query, reply }) => {
    const report = await readReport(deps, params.name, query);
    const name = toFileName([deps.config.siteName, report.title, report.from, report.to], 'csv');
    reply.headers({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': buildContentDisposition(name),
    });
    return streamCsv(report);
  });
}
