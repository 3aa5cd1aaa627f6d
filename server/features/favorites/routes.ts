import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../deps.ts';
import { route } from '../../http/route.ts';
import { addFavorite, readFavorite, readFavorites, removeFavorite } from './service.ts';

export function registerFavoriteRoutes(app: FastifyInstance, deps: Deps) {
  route(app, deps, 'GET /api/tracks/:id/favorite', {
    guard: 'member',
    handler: async ({ actor, params }) => readFavorite(deps, actor, params.id),
  });
  route(app, deps, 'POST /api/tracks/:id/favorite', {
    guard: 'member',
    handler: async ({ actor, params }) => addFavorite(deps, actor, params.id),
  });
  route(app, deps, 'DELETE /api/tracks/:id/favorite', {
    guard: 'member',
    handler: async ({ actor, params }) => removeFavorite(deps, actor, params.id),
  });
  route(app, deps, 'GET /api/favorites', {
    guard: 'member',
    handler: async ({ actor, query }) => readFavorites(deps, actor, query),
  });
}
