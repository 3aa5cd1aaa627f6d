import type { FastifyInstance } from 'fastify';
import { HOUR } from '#contract/rules/time.ts';
import type { Deps } from '../../deps.ts';
import { limitPerUser, type RateLimit } from '../../http/rate-limit.ts';
import { createRouter } from '../../http/route.ts';
import { getNotifications, subscribe, unsubscribe } from './service.ts';

const changesByUser: RateLimit = { name: 'notifications-user', limit: 60, periodMs: HOUR };

export function registerNotificationRoutes(app: FastifyInstance, deps: Deps) {
  const router = createRouter(app, deps);
  const changing = { rateLimits: limitPerUser(changesByUser) };
  router.user('GET /api/me/notifications', ({ viewer }) => getNotifications(deps, viewer));
  router.user('PUT /api/me/notifications', changing, ({ viewer, body }) =>
    subscribe(deps, viewer, body),
  );
  router.user('DELETE /api/me/notifications', changing, ({ viewer }) => unsubscribe(deps, viewer));
}
