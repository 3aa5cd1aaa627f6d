import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../deps.ts';
import { route } from '../../http/route.ts';
import { readFacets, readNeighbours, readPeaks, readTrack, readTracks } from './service.ts';

export function registerTrackRoutes(app: FastifyInstance, deps: Deps) {
  route(app, deps, 'GET /api/tracks', {
    guard: 'viewer',
    handler: async ({ viewer, query }) => readTracks(deps, viewer, query),
  });
  route(app, deps, 'GET /api/tracks/facets', {
    guard: 'viewer',
    handler: async ({ viewer }) => readFacets(deps, viewer),
  });
  route(app, deps, 'GET /api/tracks/:id', {
    guard: 'viewer',
    handler: async ({ viewer, params }) => readTrack(deps, viewer, params.id),
  });
  route(app, deps, 'GET /api/tracks/:id/neighbours', {
    guard: 'viewer',
    handler: async ({ viewer, params }) => readNeighbours(deps, viewer, params.id),
  });
  route(app, deps, 'GET /api/tracks/:id/peaks', {
    guard: 'viewer',
    handler: async ({ viewer, params }) => readPeaks(deps, viewer, params.id),
  });
}
