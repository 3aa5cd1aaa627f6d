import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../deps.ts';
import { route } from '../../http/route.ts';
import { markAchievementsSeen, readAchievements } from './service.ts';

export function registerAchievementRoutes(app: FastifyInstance, deps: Deps) {
  route(app, deps, 'GET /api/achievements', {
    guard: 'user',
    handler: async ({ viewer }) => readAchievements(deps, viewer),
  });
  route(app, deps, 'POST /api/achievements/seen', {
    guard: 'user',
    handler: async ({ viewer, body }) => markAchievementsSeen(deps, viewer, body.ids),
  });
}
