import type { FastifyInstance } from 'fastify';
import { HOUR } from '#contract/rules/time.ts';
import type { Deps } from '../../deps.ts';
import { defineRateLimit, limitPerUser } from '../../http/route/rate-limit.ts';
import { createRouter } from '../../http/route/route.ts';
import { getPreferences, updatePreferences } from './service.ts';

const changesByUser = defineRateLimit({
  name: 'preferences-user',
  what: 'Changes of preferences by one user',
  limit: 120,
  periodMs: HOUR,
});

export function registerPreferenceRoutes(app: FastifyInstance, deps: Deps) {
  const router = createRouter(app, deps);
  router.user('GET /api/me/preferences', ({ viewer }) => getPreferences(deps, viewer));
  router.user(
    'PATCH /api/me/preferences',
    { rateLimits: limitPerUser(changesByUser) },
    ({ viewer, body }) => updatePreferences(deps, viewer, body),
  );
}
