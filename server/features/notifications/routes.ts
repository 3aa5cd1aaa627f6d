import type { FastifyInstance } from 'fastify';
import { HOUR } from '#contract/rules/time.ts';
import type { Deps } from '../../deps.ts';
import { defineRateLimit, limitPerUser } from '../../http/route/rate-limit.ts';
import { createRouter } from '../../http/route/route.ts';
import { getNotifications, subscribe, unsubscribe } from './service.ts';

const changesByUser = defineRateLimit({
  name: 'notifications-user',
  what: 'Changes of release notices by one user',
  limit: 60,
  periodMs: HOUR,
});

export function registerNotificationRoutes(app: FastifyInstance, deps: Deps) {
  const router = createRouter(app, deps);
  const changing = { rateLimits: limitPerUser(changesByUser) };
  router.user('GET /api/me/notifications', ({ viewer }) => getNotifications(deps, viewer));
  router.user('PUT /api/me/notifications', changing, ({ viewer, body }) =>
    subscribe(deps, viewer, body),
  );
  router.user('DELETE /api/me/notifications', changing, ({ viewer }) => unsubscribe(deps, viewer));
}
