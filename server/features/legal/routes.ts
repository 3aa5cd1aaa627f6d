import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../deps.ts';
import { createRouter } from '../../http/route/route.ts';
import { markChangesSeen } from './acceptances.ts';
import { getLegalDraft, getLegalPage, publishLegalPage, renderSiteText } from './service.ts';

/** The longest text, in letters of up to four bytes. */
const BODY_LIMIT = 256 * 1024;

export function registerLegalRoutes(app: FastifyInstance, deps: Deps) {
  const router = createRouter(app, deps);
  router.public('GET /api/legal/:page', ({ params, query }) =>
    getLegalPage(deps, params.page, query.version),
  );
  router.user('POST /api/legal/changes/seen', ({ viewer }) =>
    markChangesSeen(deps, viewer.user.id),
  );
  router.admin('GET /api/admin/legal/:page', ({ params }) => getLegalDraft(deps, params.page));
  router.admin(
    'POST /api/admin/legal/:page',
    { bodyLimit: BODY_LIMIT },
    ({ viewer, params, body }) => publishLegalPage(deps, viewer, params.page, body),
  );
  router.admin(
    'POST /api/admin/legal/:page/preview',
    { bodyLimit: BODY_LIMIT },
    async ({ body }) => ({
      html: await renderSiteText(deps, body.text),
    }),
  );
}
