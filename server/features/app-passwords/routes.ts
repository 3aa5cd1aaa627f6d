import type { FastifyInstance } from 'fastify';
import { HOUR } from '#contract/rules/time.ts';
import type { Deps } from '../../deps.ts';
import { defineRateLimit, limitPerUser } from '../../http/route/rate-limit.ts';
import { createRouter } from '../../http/route/route.ts';
import { createAppPassword, deleteAppPassword, listAppPasswords } from './service.ts';

const createdByUser = defineRateLimit({
  name: 'app-password-user',
  what: 'App passwords created by one user',
  limit: 30,
  periodMs: HOUR,
});

export function registerAppPasswordRoutes(app: FastifyInstance, deps: Deps) {
  const router = createRouter(app, deps);
  router.user('GET /api/me/app-passwords', ({ viewer }) => listAppPasswords(deps, viewer));
  // It works long after a stolen session has ended.
  router.user(
    'POST /api/me/app-passwords',
    { needsConfirmation: true, rateLimits: limitPerUser(createdByUser) },
    ({ viewer, body }) => createAppPassword(deps, viewer, body),
  );
  router.user('DELETE /api/me/app-passwords/:id', ({ viewer, params }) =>
    deleteAppPassword(deps, viewer, params.id),
  );
}
