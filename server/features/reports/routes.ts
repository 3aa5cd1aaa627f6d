import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../deps.ts';
import { toFileName } from '../../http/send/attachment.ts';
import { createRouter } from '../../http/route/route.ts';
import { sendCsv } from '../../http/send/csv.ts';

/** Their queries are many, and only administrators read them. */
const loadReports = () => import('./service.ts');

export function registerReportRoutes(app: FastifyInstance, deps: Deps) {
  const router = createRouter(app, deps);
  router.admin('GET /api/admin/reports/:name', async ({ params, query }) =>
    (await loadReports()).readReport(deps, params.name, query),
  );
  router.admin('GET /api/admin/reports/:name/:figure', async ({ params, query }) =>
    (await loadReports()).readFigureList(deps, params.name, params.figure, query),
  );
  router.admin('GET /api/admin/reports/:name.csv', async ({ params, query, reply }) => {
    const { readReport } = await loadReports();
    const report = await readReport(deps, params.name, query);
    const name = toFileName([deps.config.siteName, report.title, report.from, report.to], 'csv');
    return sendCsv(reply, name, report);
  });
}
