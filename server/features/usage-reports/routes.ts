import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Deps } from '../../deps.ts';
import type { Viewer } from '../../http/route/guards.ts';
import { createRouter } from '../../http/route/route.ts';
import { sendCsv } from '../../http/send/csv.ts';
import { sendFile } from '../../http/send/send-file.ts';

const load = () => import('./service.ts');

/** Nobody: the page asks whether there is a file before it saves it, which is no download. */
const findReader = (viewer: Viewer, { method }: FastifyRequest): Viewer | null =>
  method === 'HEAD' ? null : viewer;

export function registerUsageReportRoutes(app: FastifyInstance, deps: Deps) {
  const router = createRouter(app, deps);
  router.admin('GET /api/admin/rights/reports', async ({ query }) =>
    (await load()).readReports(deps, query),
  );
  router.admin('GET /api/admin/rights/periods', async () => (await load()).readPeriods(deps));
  router.admin('GET /api/admin/rights/outlook', async ({ query }) =>
    (await load()).readOutlook(deps, query.period),
  );
  router.admin('POST /api/admin/rights/reports', async ({ viewer, body }) =>
    (await load()).makeReport(deps, viewer, body),
  );
  router.admin('GET /api/admin/rights/reports/:id', async ({ params }) =>
    (await load()).readReport(deps, params.id),
  );
  router.admin('POST /api/admin/rights/reports/:id/again', async ({ viewer, params }) =>
    (await load()).makeAgain(deps, viewer, params.id),
  );
  router.admin(
    'GET /api/admin/rights/reports/:id/report.csv',
    async ({ viewer, params, request, reply }) => {
      const who = findReader(viewer, request);
      const { file, name } = await (await load()).openReport(deps, who, params.id);
      return sendFile(deps, request, reply, file, {
        cacheControl: 'private, no-store',
        attachmentName: name,
      });
    },
  );
  router.admin(
    'GET /api/admin/rights/reports/:id/changes.csv',
    async ({ viewer, params, request, reply }) => {
      const who = findReader(viewer, request);
      const { table, name } = await (await load()).openChanges(deps, who, params.id);
      return sendCsv(reply, name, table);
    },
  );
}
