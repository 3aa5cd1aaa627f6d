import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../deps.ts';
import { createRouter } from '../../http/route/route.ts';
import { addOwnToEntries, getChart } from './service.ts';

export function registerChartRoutes(app: FastifyInstance, deps: Deps) {
  const router = createRouter(app, deps);
  router.viewer(
    'GET /api/top-20',
    {
      sharing: {
        // An empty chart says that it is empty now.
        isShared: ({ items }) => items.length > 0,
        addOwn: (entries, viewer) => addOwnToEntries(deps, viewer, entries),
      },
    },
    ({ viewer, query }) => getChart(deps, viewer, query),
  );
}
