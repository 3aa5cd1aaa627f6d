import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../deps.ts';
import { route } from '../../http/route.ts';
import { readFacets, readNeighbours, readPeaks, readTrack, readTracks } from './service.ts';

export function registerTrackRoutes(app: FastifyInstance, deps: Deps) {
  route(app, deps, 'GET /api/tracks', {
    guard: 'viewer',
    handler: async ({ actor, query }) => readTracks(deps, actor, query),
  });
  route(app, deps, 'GET /api/tracks/facets', {
    guard: 'viewer',
    handler: async ({ actor }) => readFacets(deps, actor),
  });
  route(app, deps, 'GET /api/tracks/:id', {
    guard: 'viewer',
    handler: async ({ actor, params }) => readTrack(deps, actor, params.id),
  });
  route(app, deps, 'GET /api/tracks/:id/neighbours', {
    guard: 'viewer',
    handler: async ({ actor, params }) => readNeighbours(deps, actor, params.id),
  });
  route(app, deps, 'GET /api/tracks/:id/peaks', {
    guard: 'viewer',
    handler: async ({ actor, params }) => readPeaks(deps, actor, params.id),
  });
}
