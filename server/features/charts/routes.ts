import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../deps.ts';
import { createRouter } from '../../http/route.ts';
import { getChart } from './service.ts';

export function registerChartRoutes(app: FastifyInstance, deps: Deps) {
  const router = createRouter(app, deps);
  router.viewer(
    'GET /api/top-20',
    // An empty chart says that it is empty now.
    { isSharedWithVisitors: ({ items }) => items.length > 0 },
    ({ viewer, query }) => getChart(deps, viewer, query),
  );
}
