import type { FastifyInstance } from 'fastify';
import { MAX_COVER_BYTES } from '#contract/admin/uploads.ts';
import type { Deps } from '../../deps.ts';
import { route } from '../../http/route.ts';
import { acceptUpload, getUpload, getUploads, saveCover, saveDraft } from './service.ts';

export function registerUploadRoutes(app: FastifyInstance, deps: Deps) {
  route(app, deps, 'GET /api/admin/uploads', {
    guard: 'admin',
    handler: async ({ query }) => getUploads(deps, query),
  });
  route(app, deps, 'GET /api/admin/uploads/:id/details', {
    guard: 'admin',
    handler: async ({ params }) => getUpload(deps, params.id),
  });
  route(app, deps, 'PUT /api/admin/uploads/:id/draft', {
    guard: 'admin',
    handler: async ({ params, body }) => saveDraft(deps, params.id, body),
  });
  route(app, deps, 'PUT /api/admin/uploads/:id/cover', {
    guard: 'admin',
    bodyLimit: MAX_COVER_BYTES,
    handler: async ({ params, body }) => saveCover(deps, params.id, body),
  });
  route(app, deps, 'POST /api/admin/uploads/:id/accept', {
    guard: 'admin',
    handler: async ({ params }) => acceptUpload(deps, params.id),
  });
}
