import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../deps.ts';
import { createRouter } from '../../http/route/route.ts';
import { markAchievementsSeen, readAchievements } from './service.ts';

export function registerAchievementRoutes(app: FastifyInstance, deps: Deps) {
  const router = createRouter(app, deps);
  router.user('GET /api/achievements', ({ viewer }) => readAchievements(deps, viewer));
  router.user('POST /api/achievements/seen', ({ viewer, body }) =>
    markAchievementsSeen(deps, viewer, body.ids),
  );
}
