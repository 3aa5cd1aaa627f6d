import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../deps.ts';
import { route } from '../../http/route.ts';
import { changeAccess, reportAccess } from './admin.ts';
import { createCoupon, listCoupons } from './coupons.ts';
import { createGift } from './gifts.ts';

export function registerBillingAdminRoutes(app: FastifyInstance, deps: Deps) {
  route(app, deps, 'GET /api/admin/users/:id/access', {
    guard: 'admin',
    handler: async ({ params, query }) => reportAccess(deps, params.id, query.at),
  });

  route(app, deps, 'POST /api/admin/users/:id/access', {
    guard: 'admin',
    handler: async ({ viewer, params, body }) => changeAccess(deps, viewer, params.id, body),
  });

  route(app, deps, 'GET /api/admin/coupons', {
    guard: 'admin',
    handler: async ({ query }) => listCoupons(deps, query),
  });

  route(app, deps, 'POST /api/admin/coupons', {
    guard: 'admin',
    handler: async ({ viewer, body }) => createCoupon(deps, viewer, body),
  });

  route(app, deps, 'POST /api/admin/gifts', {
    guard: 'admin',
    handler: async ({ viewer, body }) => createGift(deps, viewer, body),
  });
}
