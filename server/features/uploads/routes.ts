import type { FastifyInstance } from 'fastify';
import { MAX_COVER_BYTES } from '#contract/admin/uploads.ts';
import type { Deps } from '../../deps.ts';
import { createRouter } from '../../http/route/route.ts';
import { acceptUpload, getUpload, getUploads, saveCover, saveDraft } from './service.ts';

export function registerUploadRoutes(app: FastifyInstance, deps: Deps) {
  const router = createRouter(app, deps);
  router.helper('GET /api/admin/uploads', ({ query }) => getUploads(deps, query));
  router.helper('GET /api/admin/uploads/:id/details', ({ params }) => getUpload(deps, params.id));
  router.helper('PUT /api/admin/uploads/:id/draft', ({ params, body }) =>
    saveDraft(deps, params.id, body),
  );
  router.helper(
    'PUT /api/admin/uploads/:id/cover',
    { bodyLimit: MAX_COVER_BYTES },
    ({ params, body }) => saveCover(deps, params.id, body),
  );
  router.helper('POST /api/admin/uploads/:id/accept', ({ params }) =>
    acceptUpload(deps, params.id),
  );
}
