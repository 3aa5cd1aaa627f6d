import type { FastifyInstance } from 'fastify';
import { HOUR } from '#contract/rules/time.ts';
import type { Deps } from '../../deps.ts';
import type { Viewer } from '../../http/guards.ts';
import type { RateLimit } from '../../http/rate-limit.ts';
import { route } from '../../http/route.ts';
import { changeAccess, getAccessReport } from './admin/access.ts';
import { confirmCheckout, startCheckout } from './checkout/checkout.ts';
import { getQuote } from './checkout/quote.ts';
import { createCoupon, listCoupons } from './coupons/coupons.ts';
import { createGift, getGift, redeemGift } from './coupons/gifts.ts';
import { getInvoice, listInvoicesOf } from './invoices/service.ts';
import { changePlan, quoteChange } from './subscription/change-plan.ts';
import {
  cancelSubscription,
  getCardUpdatePage,
  resumeSubscription,
} from './subscription/manage-subscription.ts';
import { getPlans, getSubscription } from './subscription/service.ts';

const billingLimits = {
  /** Against guessing codes. */
  quoteByUser: { name: 'quote-user', limit: 60, periodMs: HOUR },
  checkoutByUser: { name: 'checkout-user', limit: 20, periodMs: HOUR },
  confirmByUser: { name: 'confirm-user', limit: 600, periodMs: HOUR },
  changeByUser: { name: 'subscription-user', limit: 60, periodMs: HOUR },
  giftByUser: { name: 'gift-user', limit: 30, periodMs: HOUR },
} as const satisfies Record<string, RateLimit>;

const limitBy =
  (rule: RateLimit) =>
  ({ viewer }: { viewer: Viewer }) => [{ rule, subject: viewer.user.id }];

function registerCheckoutRoutes(app: FastifyInstance, deps: Deps) {
  route(app, deps, 'GET /api/checkout/quote', {
    guard: 'user',
    rateLimits: limitBy(billingLimits.quoteByUser),
    handler: async ({ viewer, query }) => getQuote(deps, viewer, query),
  });

  route(app, deps, 'POST /api/checkout', {
    guard: 'user',
    rateLimits: limitBy(billingLimits.checkoutByUser),
    handler: async ({ viewer, body }) => startCheckout(deps, viewer, body),
  });

  route(app, deps, 'POST /api/checkout/:reference/confirm', {
    guard: 'user',
    rateLimits: limitBy(billingLimits.confirmByUser),
    handler: async ({ viewer, params }) => confirmCheckout(deps, viewer, params.reference),
  });
}

function registerChangeRoutes(app: FastifyInstance, deps: Deps) {
  const rateLimits = limitBy(billingLimits.changeByUser);

  route(app, deps, 'POST /api/subscription/cancel', {
    guard: 'user',
    rateLimits,
    handler: async ({ viewer, body }) => cancelSubscription(deps, viewer, body),
  });

  route(app, deps, 'POST /api/subscription/resume', {
    guard: 'user',
    rateLimits,
    handler: async ({ viewer }) => resumeSubscription(deps, viewer),
  });

  route(app, deps, 'POST /api/subscription/change', {
    guard: 'user',
    rateLimits,
    handler: async ({ viewer, body }) => changePlan(deps, viewer, body.plan),
  });

  route(app, deps, 'GET /api/subscription/change', {
    guard: 'user',
    rateLimits,
    handler: async ({ viewer, query }) => quoteChange(deps, viewer, query.plan),
  });

  route(app, deps, 'POST /api/subscription/card', {
    guard: 'user',
    rateLimits,
    handler: async ({ viewer }) => getCardUpdatePage(deps, viewer),
  });
}

function registerGiftRoutes(app: FastifyInstance, deps: Deps) {
  route(app, deps, 'GET /api/gifts/:token', {
    guard: 'public',
    handler: async ({ params }) => getGift(deps, params.token),
  });

  route(app, deps, 'POST /api/gifts/:token/redeem', {
    guard: 'user',
    rateLimits: limitBy(billingLimits.giftByUser),
    handler: async ({ viewer, params }) => redeemGift(deps, viewer, params.token),
  });
}

export function registerBillingRoutes(app: FastifyInstance, deps: Deps) {
  route(app, deps, 'GET /api/plans', { guard: 'public', handler: async () => getPlans(deps) });

  route(app, deps, 'GET /api/subscription', {
    guard: 'user',
    handler: async ({ viewer }) => getSubscription(deps, viewer),
  });

  route(app, deps, 'GET /api/subscription/invoices', {
    guard: 'user',
    handler: async ({ viewer, query }) => listInvoicesOf(deps, viewer.user.id, query),
  });

  route(app, deps, 'GET /api/subscription/invoices/:id', {
    guard: 'user',
    handler: async ({ viewer, params }) => getInvoice(deps, viewer, params.id),
  });

  registerCheckoutRoutes(app, deps);
  registerChangeRoutes(app, deps);
  registerGiftRoutes(app, deps);
}

export function registerBillingAdminRoutes(app: FastifyInstance, deps: Deps) {
  route(app, deps, 'GET /api/admin/users/:id/access', {
    guard: 'admin',
    handler: async ({ params, query }) => getAccessReport(deps, params.id, query.at),
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
