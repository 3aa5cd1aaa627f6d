import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../deps.ts';
import { route } from '../../http/route.ts';
import { listHistory } from './service.ts';

export function registerHistoryRoutes(app: FastifyInstance, deps: Deps) {
  route(app, deps, 'GET /api/history', {
    guard: 'user',
    handler: async ({ viewer, query }) => listHistory(deps, viewer, query),
  });
}
