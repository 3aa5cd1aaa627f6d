import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../deps.ts';
import { createRouter } from '../../http/route/route.ts';
import { addFavorite, getFavorite, listFavoriteTracks, removeFavorite } from './service.ts';

export function registerFavoriteRoutes(app: FastifyInstance, deps: Deps) {
  const router = createRouter(app, deps);
  router.user('GET /api/tracks/:id/favorite', ({ viewer, params }) =>
    getFavorite(deps, viewer, params.id),
  );
  router.user('POST /api/tracks/:id/favorite', ({ viewer, params }) =>
    addFavorite(deps, viewer, params.id),
  );
  router.user('DELETE /api/tracks/:id/favorite', ({ viewer, params }) =>
    removeFavorite(deps, viewer, params.id),
  );
  router.user('GET /api/favorites', ({ viewer, query }) => listFavoriteTracks(deps, viewer, query));
}
