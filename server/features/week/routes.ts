import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../deps.ts';
import { createRouter } from '../../http/route/route.ts';

/** Only administrators read them. */
const load = () => import('./service.ts');

export function registerWeekRoutes(app: FastifyInstance, deps: Deps) {
  const router = createRouter(app, deps);
  router.admin('GET /api/admin/week', async ({ query }) =>
    (await load()).readWeek(deps, query.track),
  );
  router.helper('GET /api/admin/tracks/:id/recipients', async ({ params }) =>
    (await load()).readRecipients(deps, params.id),
  );
  router.admin('GET /api/admin/first-steps', async () => (await load()).readFirstSteps(deps));
  router.admin('PUT /api/admin/first-steps/:step', async ({ params, body }) =>
    (await load()).skipStep(deps, params.step, body.isSkipped),
  );
}
