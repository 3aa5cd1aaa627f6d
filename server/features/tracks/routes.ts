import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../deps.ts';
import { createRouter } from '../../http/route.ts';
import {
  getEarlyRelease,
  getFacets,
  getNeighbours,
  getTeaser,
  getVisiblePeaks,
  getTrackDetail,
  listVisibleTracks,
} from './service.ts';

export function registerTrackRoutes(app: FastifyInstance, deps: Deps) {
  const router = createRouter(app, deps);
  router.viewer('GET /api/tracks', ({ viewer, query }) => listVisibleTracks(deps, viewer, query));
  router.viewer('GET /api/tracks/facets', ({ viewer }) => getFacets(deps, viewer));
  router.viewer('GET /api/tracks/early', () => getEarlyRelease(deps));
  router.viewer('GET /api/tracks/:id', ({ viewer, params }) =>
    getTrackDetail(deps, viewer, params.id),
  );
  router.viewer('GET /api/tracks/:id/teaser', ({ viewer, params }) =>
    getTeaser(deps, viewer, params.id),
  );
  router.viewer('GET /api/tracks/:id/neighbours', ({ viewer, params }) =>
    getNeighbours(deps, viewer, params.id),
  );
  router.viewer('GET /api/tracks/:id/peaks', ({ viewer, params }) =>
    getVisiblePeaks(deps, viewer, params.id),
  );
}
