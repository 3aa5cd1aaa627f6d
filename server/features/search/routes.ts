import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../deps.ts';
import { createRouter } from '../../http/route.ts';
import { searchTracks } from './service.ts';
import { suggest } from './suggest.ts';

export function registerSearchRoutes(app: FastifyInstance, deps: Deps) {
  const router = createRouter(app, deps);
  const shared = { isSharedWithVisitors: () => true };
  router.viewer('GET /api/tracks/search', shared, ({ viewer, query }) =>
    searchTracks(deps, viewer, query),
  );
  router.viewer('GET /api/tracks/suggest', shared, ({ viewer, query }) =>
    suggest(deps, viewer, query),
  );
}
