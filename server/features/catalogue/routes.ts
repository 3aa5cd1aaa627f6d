import type { FastifyInstance } from 'fastify';
import { MAX_COVER_BYTES } from '#contract/admin/uploads.ts';
import type { Deps } from '../../deps.ts';
import { createRouter } from '../../http/route/route.ts';
import { getPeaks } from '../tracks/service.ts';
import { changeMany } from './bulk.ts';
import { getCatalogueDetail, getTrack } from './catalogue-track.ts';
import { removeCover, replaceCover } from './covers.ts';
import { editTrack, getCatalogueFacets, listCatalogueTracks, reprocessTrack } from './service.ts';
import { putBack, readTakeDowns, takeDown } from './take-downs.ts';

export function registerCatalogueRoutes(app: FastifyInstance, deps: Deps) {
  const router = createRouter(app, deps);
  router.helper('GET /api/admin/tracks', ({ query }) => listCatalogueTracks(deps, query));
  router.helper('GET /api/admin/tracks/facets', () => getCatalogueFacets(deps));
  router.helper('POST /api/admin/tracks/bulk', ({ viewer, body }) =>
    changeMany(deps, viewer, body),
  );
  router.helper('GET /api/admin/tracks/:id', ({ params }) => getCatalogueDetail(deps, params.id));
  router.helper('GET /api/admin/tracks/:id/peaks', async ({ params }) => {
    await getTrack(deps.database.db, params.id);
    return getPeaks(deps, params.id);
  });
  router.helper('PATCH /api/admin/tracks/:id', ({ viewer, params, body }) =>
    editTrack(deps, viewer, params.id, body),
  );
  router.helper(
    'PUT /api/admin/tracks/:id/cover',
    { bodyLimit: MAX_COVER_BYTES },
    ({ viewer, params, body }) => replaceCover(deps, viewer, params.id, body),
  );
  router.helper('DELETE /api/admin/tracks/:id/cover', ({ viewer, params }) =>
    removeCover(deps, viewer, params.id),
  );
  router.helper('POST /api/admin/tracks/:id/reprocess', ({ viewer, params }) =>
    reprocessTrack(deps, viewer, params.id),
  );
  router.helper('POST /api/admin/tracks/:id/take-down', ({ viewer, params, body }) =>
    takeDown(deps, viewer, params.id, body),
  );
  router.admin('POST /api/admin/tracks/:id/put-back', ({ viewer, params, body }) =>
    putBack(deps, viewer, params.id, body),
  );
  router.helper('GET /api/admin/rights/take-downs', ({ query }) => readTakeDowns(deps, query));
}
