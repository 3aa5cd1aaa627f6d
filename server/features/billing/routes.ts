import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../deps.ts';
import type { Viewer } from '../../http/guards.ts';
import type { RateLimit } from '../../http/rate-limit.ts';
import { route } from '../../http/route.ts';
import { settleCheckout, startCheckout } from './checkout.ts';
import { changePlan, quoteChange } from './change-plan.ts';
import { readGift, redeemGift } from './gifts.ts';
import { readInvoice, readInvoices } from './invoices.ts';
import { cancelSubscription, readCardPage, resumeSubscription } from './manage.ts';
import { readQuote } from './quote.ts';
import { readPlans, readSubscription } from './service.ts';
import { HOUR } from '#contract/rules/time.ts';

export const billingLimits = {
  /** Codes must not be found by trying. */
  quoteByUser: { name: 'quote-user', limit: 60, periodMs: HOUR },
  checkoutByUser: { name: 'checkout-user', limit: 20, periodMs: HOUR },
  settleByUser: { name: 'settle-user', limit: 600, periodMs: HOUR },
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
    handler: async ({ viewer, query }) => readQuote(deps, viewer, query),
  });

  route(app, deps, 'POST /api/checkout', {
    guard: 'user',
    rateLimits: limitBy(billingLimits.checkoutByUser),
    handler: async ({ viewer, body }) => startCheckout(deps, viewer, body),
  });

  route(app, deps, 'POST /api/checkout/:reference/settle', {
    guard: 'user',
    rateLimits: limitBy(billingLimits.settleByUser),
    handler: async ({ viewer, params }) => settleCheckout(deps, viewer, params.reference),
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
    handler: async ({ viewer }) => readCardPage(deps, viewer),
  });
}

function registerGiftRoutes(app: FastifyInstance, deps: Deps) {
  route(app, deps, 'GET /api/gifts/:token', {
    guard: 'public',
    handler: async ({ params }) => readGift(deps, params.token),
  });

  route(app, deps, 'POST /api/gifts/:token/redeem', {
    guard: 'user',
    rateLimits: limitBy(billingLimits.giftByUser),
    handler: async ({ viewer, params }) => redeemGift(deps, viewer, params.token),
  });
}

export function registerBillingRoutes(app: FastifyInstance, deps: Deps) {
  route(app, deps, 'GET /api/plans', { guard: 'public', handler: async () => readPlans(deps) });

  route(app, deps, 'GET /api/subscription', {
    guard: 'user',
    handler: async ({ viewer }) => readSubscription(deps, viewer),
  });

  route(app, deps, 'GET /api/subscription/invoices', {
    guard: 'user',
    handler: async ({ viewer, query }) => readInvoices(deps, viewer, query),
  });

  route(app, deps, 'GET /api/subscription/invoices/:id', {
    guard: 'user',
    handler: async ({ viewer, params }) => readInvoice(deps, viewer, params.id),
  });

  registerCheckoutRoutes(app, deps);
  registerChangeRoutes(app, deps);
  registerGiftRoutes(app, deps);
}
