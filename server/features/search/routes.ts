import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../deps.ts';
import { createRouter } from '../../http/route/route.ts';
import { addOwnStates } from '../tracks/service.ts';
import { searchTracks } from './service.ts';
import { suggest } from './suggest.ts';

export function registerSearchRoutes(app: FastifyInstance, deps: Deps) {
  const router = createRouter(app, deps);
  router.viewer(
    'GET /api/tracks/search',
    {
      sharing: {
        // Each search without a result is counted.
        isShared: ({ items }) => items.length > 0,
        addOwn: (tracks, viewer) => addOwnStates(deps, viewer, tracks),
      },
    },
    ({ viewer, query }) => searchTracks(deps, viewer, query),
  );
  router.viewer(
    'GET /api/tracks/suggest',
    { sharing: { isShared: () => true } },
    ({ viewer, query }) => suggest(deps, viewer, query),
  );
}
