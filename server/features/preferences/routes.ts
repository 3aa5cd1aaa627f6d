import type { FastifyInstance } from 'fastify';
import { HOUR } from '#contract/rules/time.ts';
import type { Deps } from '../../deps.ts';
import type { RateLimit } from '../../http/rate-limit.ts';
import { route } from '../../http/route.ts';
import { getPreferences, updatePreferences } from './service.ts';

const changesByUser: RateLimit = { name: 'preferences-user', limit: 120, periodMs: HOUR };

export function registerPreferenceRoutes(app: FastifyInstance, deps: Deps) {
  route(app, deps, 'GET /api/me/preferences', {
    guard: 'user',
    handler: async ({ viewer }) => getPreferences(deps, viewer),
  });
  route(app, deps, 'PATCH /api/me/preferences', {
    guard: 'user',
    rateLimits: ({ viewer }) => [{ rule: changesByUser, subject: viewer.user.id }],
    handler: async ({ viewer, body }) => updatePreferences(deps, viewer, body),
  });
}
