import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../deps.ts';
import { createRouter } from '../../http/route/route.ts';
import { listHistory } from './service.ts';

export function registerHistoryRoutes(app: FastifyInstance, deps: Deps) {
  const router = createRouter(app, deps);
  router.user('GET /api/history', ({ viewer, query }) => listHistory(deps, viewer, query));
}
