import type { FastifyInstance } from 'fastify';
import type { Track } from '#contract/tracks.ts';
import type { Deps } from '../../deps.ts';
import type { Viewer } from '../../http/route/guards.ts';
import { createRouter } from '../../http/route/route.ts';
import {
  addOwnStates,
  getEarlyRelease,
  getFacets,
  getNeighbours,
  getTeaser,
  getVisiblePeaks,
  getTrackDetail,
  listSavable,
  listVisibleTracks,
} from './service.ts';

export function registerTrackRoutes(app: FastifyInstance, deps: Deps) {
  const router = createRouter(app, deps);
  const shared = { sharing: { isShared: () => true } };
  const addOwn = <T extends Track>(tracks: T[], viewer: Viewer) =>
    addOwnStates(deps, viewer, tracks);
  router.viewer(
    'GET /api/tracks',
    {
      sharing: {
        // With a state, the list itself is the viewer's own.
        isShared: (_page, { query }) => !Object.hasOwn(query as object, 'state'),
        addOwn,
      },
    },
    ({ viewer, query }) => listVisibleTracks(deps, viewer, query),
  );
  router.viewer('GET /api/tracks/facets', shared, ({ viewer }) => getFacets(deps, viewer));
  router.user('GET /api/me/saved-tracks', async ({ viewer, query }) => ({
    ids: await listSavable(deps, viewer, query.ids.split(',').slice(0, 50)),
  }));
  router.viewer('GET /api/tracks/early', () => getEarlyRelease(deps));
  router.viewer(
    'GET /api/tracks/:id',
    { sharing: { isShared: () => true, addOwn } },
    ({ viewer, params }) => getTrackDetail(deps, viewer, params.id),
  );
  router.viewer('GET /api/tracks/:id/teaser', shared, ({ viewer, params }) =>
    getTeaser(deps, viewer, params.id),
  );
  router.viewer('GET /api/tracks/:id/neighbours', shared, ({ viewer, params }) =>
    getNeighbours(deps, viewer, params.id),
  );
  router.viewer('GET /api/tracks/:id/peaks', shared, ({ viewer, params }) =>
    getVisiblePeaks(deps, viewer, params.id),
  );
}
