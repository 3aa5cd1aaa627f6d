import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../deps.ts';
import { route } from '../../http/route.ts';
import { noteSeen, readAchievements } from './service.ts';

export function registerAchievementRoutes(app: FastifyInstance, deps: Deps) {
  route(app, deps, 'GET /api/achievements', {
    guard: 'member',
    handler: async ({ actor }) => readAchievements(deps, actor),
  });
  route(app, deps, 'POST /api/achievements/seen', {
    guard: 'member',
    handler: async ({ actor, body }) => noteSeen(deps, actor, body.ids),
  });
}
