import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../deps.ts';
import { route } from '../../http/route.ts';
import {
  getFacets,
  getNeighbours,
  getVisiblePeaks,
  getTrackDetail,
  listVisibleTracks,
} from './service.ts';

export function registerTrackRoutes(app: FastifyInstance, deps: Deps) {
  route(app, deps, 'GET /api/tracks', {
    guard: 'viewer',
    handler: async ({ viewer, query }) => listVisibleTracks(deps, viewer, query),
  });
  route(app, deps, 'GET /api/tracks/facets', {
    guard: 'viewer',
    handler: async ({ viewer }) => getFacets(deps, viewer),
  });
  route(app, deps, 'GET /api/tracks/:id', {
    guard: 'viewer',
    handler: async ({ viewer, params }) => getTrackDetail(deps, viewer, params.id),
  });
  route(app, deps, 'GET /api/tracks/:id/neighbours', {
    guard: 'viewer',
    handler: async ({ viewer, params }) => getNeighbours(deps, viewer, params.id),
  });
  route(app, deps, 'GET /api/tracks/:id/peaks', {
    guard: 'viewer',
    handler: async ({ viewer, params }) => getVisiblePeaks(deps, viewer, params.id),
  });
}
