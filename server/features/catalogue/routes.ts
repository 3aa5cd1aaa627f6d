import type { FastifyInstance } from 'fastify';
import { MAX_COVER_BYTES } from '#contract/uploads.ts';
import type { Deps } from '../../deps.ts';
import { route } from '../../http/route.ts';
import { readAnyPeaks } from '../tracks/service.ts';
import { changeMany } from './bulk-service.ts';
import { removeCover, replaceCover } from './cover-service.ts';
import {
  editMix,
  readCatalogue,
  readCatalogueFacets,
  readMixDetail,
  reprocessMix,
  requireMix,
} from './service.ts';

export function registerCatalogueRoutes(app: FastifyInstance, deps: Deps) {
  route(app, deps, 'GET /api/admin/tracks', {
    guard: 'admin',
    handler: async ({ query }) => readCatalogue(deps, query),
  });
  route(app, deps, 'GET /api/admin/tracks/facets', {
    guard: 'admin',
    handler: async () => readCatalogueFacets(deps),
  });
  route(app, deps, 'POST /api/admin/tracks/bulk', {
    guard: 'admin',
    handler: async ({ actor, body }) => changeMany(deps, actor, body),
  });
  route(app, deps, 'GET /api/admin/tracks/:id', {
    guard: 'admin',
    handler: async ({ params }) => readMixDetail(deps, params.id),
  });
  route(app, deps, 'GET /api/admin/tracks/:id/peaks', {
    guard: 'admin',
    handler: async ({ params }) => {
      await requireMix(deps.database.db, params.id);
      return readAnyPeaks(deps, params.id);
    },
  });
  route(app, deps, 'PATCH /api/admin/tracks/:id', {
    guard: 'admin',
    handler: async ({ actor, params, body }) => editMix(deps, actor, params.id, body),
  });
  route(app, deps, 'PUT /api/admin/tracks/:id/cover', {
    guard: 'admin',
    bodyLimit: MAX_COVER_BYTES,
    handler: async ({ actor, params, body }) => replaceCover(deps, actor, params.id, body),
  });
  route(app, deps, 'DELETE /api/admin/tracks/:id/cover', {
    guard: 'admin',
    handler: async ({ actor, params }) => removeCover(deps, actor, params.id),
  });
  route(app, deps, 'POST /api/admin/tracks/:id/reprocess', {
    guard: 'admin',
    handler: async ({ actor, params }) => reprocessMix(deps, actor, params.id),
  });
}
