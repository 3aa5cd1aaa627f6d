import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../deps.ts';
import type { Actor } from '../../http/guards.ts';
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
  ({ actor }: { actor: Actor }) => [{ rule, subject: actor.user.id }];

function registerCheckoutRoutes(app: FastifyInstance, deps: Deps) {
  route(app, deps, 'GET /api/checkout/quote', {
    guard: 'member',
    rateLimits: limitBy(billingLimits.quoteByUser),
    handler: async ({ actor, query }) => readQuote(deps, actor, query),
  });

  route(app, deps, 'POST /api/checkout', {
    guard: 'member',
    rateLimits: limitBy(billingLimits.checkoutByUser),
    handler: async ({ actor, body }) => startCheckout(deps, actor, body),
  });

  route(app, deps, 'POST /api/checkout/:reference/settle', {
    guard: 'member',
    rateLimits: limitBy(billingLimits.settleByUser),
    handler: async ({ actor, params }) => settleCheckout(deps, actor, params.reference),
  });
}

function registerChangeRoutes(app: FastifyInstance, deps: Deps) {
  const rateLimits = limitBy(billingLimits.changeByUser);

  route(app, deps, 'POST /api/subscription/cancel', {
    guard: 'member',
    rateLimits,
    handler: async ({ actor, body }) => cancelSubscription(deps, actor, body),
  });

  route(app, deps, 'POST /api/subscription/resume', {
    guard: 'member',
    rateLimits,
    handler: async ({ actor }) => resumeSubscription(deps, actor),
  });

  route(app, deps, 'POST /api/subscription/change', {
    guard: 'member',
    rateLimits,
    handler: async ({ actor, body }) => changePlan(deps, actor, body.plan),
  });

  route(app, deps, 'GET /api/subscription/change', {
    guard: 'member',
    rateLimits,
    handler: async ({ actor, query }) => quoteChange(deps, actor, query.plan),
  });

  route(app, deps, 'POST /api/subscription/card', {
    guard: 'member',
    rateLimits,
    handler: async ({ actor }) => readCardPage(deps, actor),
  });
}

function registerGiftRoutes(app: FastifyInstance, deps: Deps) {
  route(app, deps, 'GET /api/gifts/:token', {
    guard: 'public',
    handler: async ({ params }) => readGift(deps, params.token),
  });

  route(app, deps, 'POST /api/gifts/:token/redeem', {
    guard: 'member',
    rateLimits: limitBy(billingLimits.giftByUser),
    handler: async ({ actor, params }) => redeemGift(deps, actor, params.token),
  });
}

export function registerBillingRoutes(app: FastifyInstance, deps: Deps) {
  route(app, deps, 'GET /api/plans', { guard: 'public', handler: async () => readPlans(deps) });

  route(app, deps, 'GET /api/subscription', {
    guard: 'member',
    handler: async ({ actor }) => readSubscription(deps, actor),
  });

  route(app, deps, 'GET /api/subscription/invoices', {
    guard: 'member',
    handler: async ({ actor, query }) => readInvoices(deps, actor, query),
  });

  route(app, deps, 'GET /api/subscription/invoices/:id', {
    guard: 'member',
    handler: async ({ actor, params }) => readInvoice(deps, actor, params.id),
  });

  registerCheckoutRoutes(app, deps);
  registerChangeRoutes(app, deps);
  registerGiftRoutes(app, deps);
}
