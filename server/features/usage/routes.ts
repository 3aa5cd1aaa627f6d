import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../deps.ts';
import { createRouter } from '../../http/route/route.ts';

export function registerUsageRoutes(app: FastifyInstance, deps: Deps) {
  const router = createRouter(app, deps);
  router.helper('GET /api/admin/tracks/:id/heard', async ({ params, query }) => {
    const { measureTrack } = await import('./measure-track.ts');
    return measureTrack(deps, params.id, query);
  });
}
