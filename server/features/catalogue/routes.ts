import type { FastifyInstance } from 'fastify';
import { MAX_COVER_BYTES } from '#contract/admin/uploads.ts';
import type { Deps } from '../../deps.ts';
import { route } from '../../http/route.ts';
import { getPeaks } from '../tracks/service.ts';
import { changeMany } from './bulk.ts';
import { getCatalogueDetail, getTrack } from './catalogue-track.ts';
import { removeCover, replaceCover } from './covers.ts';
import { editTrack, getCatalogueFacets, listCatalogueTracks, reprocessTrack } from './service.ts';

export function registerCatalogueRoutes(app: FastifyInstance, deps: Deps) {
  route(app, deps, 'GET /api/admin/tracks', {
    guard: 'admin',
    handler: async ({ query }) => listCatalogueTracks(deps, query),
  });
  route(app, deps, 'GET /api/admin/tracks/facets', {
    guard: 'admin',
    handler: async () => getCatalogueFacets(deps),
  });
  route(app, deps, 'POST /api/admin/tracks/bulk', {
    guard: 'admin',
    handler: async ({ viewer, body }) => changeMany(deps, viewer, body),
  });
  route(app, deps, 'GET /api/admin/tracks/:id', {
    guard: 'admin',
    handler: async ({ params }) => getCatalogueDetail(deps, params.id),
  });
  route(app, deps, 'GET /api/admin/tracks/:id/peaks', {
    guard: 'admin',
    handler: async ({ params }) => {
      await getTrack(deps.database.db, params.id);
      return getPeaks(deps, params.id);
    },
  });
  route(app, deps, 'PATCH /api/admin/tracks/:id', {
    guard: 'admin',
    handler: async ({ viewer, params, body }) => editTrack(deps, viewer, params.id, body),
  });
  route(app, deps, 'PUT /api/admin/tracks/:id/cover', {
    guard: 'admin',
    bodyLimit: MAX_COVER_BYTES,
    handler: async ({ viewer, params, body }) => replaceCover(deps, viewer, params.id, body),
  });
  route(app, deps, 'DELETE /api/admin/tracks/:id/cover', {
    guard: 'admin',
    handler: async ({ viewer, params }) => removeCover(deps, viewer, params.id),
  });
  route(app, deps, 'POST /api/admin/tracks/:id/reprocess', {
    guard: 'admin',
    handler: async ({ viewer, params }) => reprocessTrack(deps, viewer, params.id),
  });
}
