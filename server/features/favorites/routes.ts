import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../deps.ts';
import { route } from '../../http/route.ts';
import { addFavorite, getFavorite, listFavoriteTracks, removeFavorite } from './service.ts';

export function registerFavoriteRoutes(app: FastifyInstance, deps: Deps) {
  route(app, deps, 'GET /api/tracks/:id/favorite', {
    guard: 'user',
    handler: async ({ viewer, params }) => getFavorite(deps, viewer, params.id),
  });
  route(app, deps, 'POST /api/tracks/:id/favorite', {
    guard: 'user',
    handler: async ({ viewer, params }) => addFavorite(deps, viewer, params.id),
  });
  route(app, deps, 'DELETE /api/tracks/:id/favorite', {
    guard: 'user',
    handler: async ({ viewer, params }) => removeFavorite(deps, viewer, params.id),
  });
  route(app, deps, 'GET /api/favorites', {
    guard: 'user',
    handler: async ({ viewer, query }) => listFavoriteTracks(deps, viewer, query),
  });
}
