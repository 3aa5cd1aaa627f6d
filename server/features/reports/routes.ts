import type { FastifyInstance } from 'fastify';
import type { Figure } from '#contract/admin/reports.ts';
import { isReportForHelpers } from '#contract/admin/report-groups.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../http/route/app-error.ts';
import { toFileName } from '../../http/send/attachment.ts';
import { createRouter } from '../../http/route/route.ts';
import { sendCsv } from '../../http/send/csv.ts';

/** Their queries are many, and only administrators read them. */
const loadReports = () => import('./service.ts');

export function registerReportRoutes(app: FastifyInstance, deps: Deps) {
  const router = createRouter(app, deps);
  router.helper('GET /api/admin/reports/:name', async ({ viewer, params, query }) => {
    const isForAll = viewer.user.is_admin === 1;
    if (!isForAll && !isReportForHelpers(params.name)) throw new AppError('not_found');
    const report = await (await loadReports()).readReport(deps, params.name, query);
    // The lists behind the figures name listeners.
    const hideList = (figure: Figure) => ({ ...figure, href: null });
    return isForAll ? report : { ...report, figures: report.figures.map(hideList) };
  });
  router.admin('GET /api/admin/reports/:name/:figure', async ({ params, query }) =>
    (await loadReports()).readFigureList(deps, params.name, params.figure, query),
  );
  router.admin(
    'GET /api/admin/reports/:name/:figure.csv',
    async ({ viewer, params, query, reply }) => {
      const { exportFigureList } = await loadReports();
      const list = await exportFigureList(deps, viewer, { ...params, query });
      const name = toFileName([deps.config.siteName, list.title, list.from, list.to], 'csv');
      return sendCsv(reply, name, list);
    },
  );
  router.admin('GET /api/admin/reports/:name.csv', async ({ params, query, reply }) => {
    const { readReport } = await loadReports();
    const report = await readReport(deps, params.name, query);
    const name = toFileName([deps.config.siteName, report.title, report.from, report.to], 'csv');
    return sendCsv(reply, name, report);
  });
}
