import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../deps.ts';
import { route } from '../../http/route.ts';
import { searchTracks } from './service.ts';
import { suggest } from './suggest.ts';

export function registerSearchRoutes(app: FastifyInstance, deps: Deps) {
  route(app, deps, 'GET /api/tracks/search', {
    guard: 'viewer',
    handler: async ({ viewer, query }) => searchTracks(deps, viewer, query),
  });
  route(app, deps, 'GET /api/tracks/suggest', {
    guard: 'viewer',
    handler: async ({ viewer, query }) => suggest(deps, viewer, query),
  });
}
