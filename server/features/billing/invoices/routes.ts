import type { FastifyInstance } from 'fastify';
import { HOUR } from '#contract/rules/time.ts';
import type { Deps } from '../../../deps.ts';
import { defineRateLimit, limitPerUser } from '../../../http/rate-limit.ts';
import { createRouter } from '../../../http/route.ts';
import { readBuyer, removeBuyer, saveBuyer } from './buyers.ts';

const buyerByUser = defineRateLimit({
  name: 'buyer-user',
  what: 'Changes of the details on one user’s invoices',
  limit: 60,
  periodMs: HOUR,
});

export function registerBuyerRoutes(app: FastifyInstance, deps: Deps) {
  const router = createRouter(app, deps);
  const rateLimits = limitPerUser(buyerByUser);
  router.user('GET /api/subscription/buyer', ({ viewer }) => readBuyer(deps, viewer.user.id));
  router.user('PUT /api/subscription/buyer', { rateLimits }, ({ viewer, body }) =>
    saveBuyer(deps, viewer.user.id, body),
  );
  router.user('DELETE /api/subscription/buyer', { rateLimits }, ({ viewer }) =>
    removeBuyer(deps, viewer.user.id),
  );
}
