import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../deps.ts';
import { route } from '../../http/route.ts';
import { getChart } from './service.ts';

export function registerChartRoutes(app: FastifyInstance, deps: Deps) {
  route(app, deps, 'GET /api/top-20', {
    guard: 'viewer',
    handler: async ({ viewer, query }) => getChart(deps, viewer, query),
  });
}
