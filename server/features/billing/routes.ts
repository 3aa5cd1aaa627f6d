import type { FastifyInstance } from 'fastify';
import { HOUR } from '#contract/rules/time.ts';
import type { Deps } from '../../deps.ts';
import { defineRateLimit, limitPerUser, type RateLimit } from '../../http/route/rate-limit.ts';
import { createRouter } from '../../http/route/route.ts';
import { changeAccess, getAccessReport } from './admin/access-report.ts';
import { confirmCheckout, startCheckout } from './checkout/checkout.ts';
import { getQuote } from './checkout/quote.ts';
import { createCoupon, listCoupons } from './checkout/coupons.ts';
import { createGift } from './pay-once/redeem-gift.ts';
import { registerPayOnceAdminRoutes, registerPayOnceRoutes } from './pay-once/routes.ts';
import {
  getCreditNote,
  getInvoice,
  listInvoicesOf,
  readBuyer,
  removeBuyer,
  saveBuyer,
} from './ledger/invoices.ts';
import { getFileEnds, setFileEnds } from './file-ends/service.ts';
import { cancelPriceChange, getPrices, planPriceChange } from './prices/service.ts';
import {
  cancelSubscription,
  changePlan,
  quoteChange,
  resumeSubscription,
} from './subscriptions/manage-subscription.ts';
import { openCardPage } from './checkout/pay-page.ts';
import { getPlans, getSubscription } from './subscriptions/service.ts';
import { withdraw } from './refunds/withdraw.ts';

const billingLimits = {
  /** Against guessing codes. */
  quoteByUser: defineRateLimit({
    name: 'quote-user',
    what: 'Price quotes by one user',
    limit: 60,
    periodMs: HOUR,
  }),
  checkoutByUser: defineRateLimit({
    name: 'checkout-user',
    what: 'Payment pages opened by one user',
    limit: 20,
    periodMs: HOUR,
  }),
  confirmByUser: defineRateLimit({
    name: 'confirm-user',
    what: 'Checkout confirmations by one user',
    limit: 600,
    periodMs: HOUR,
  }),
  changeByUser: defineRateLimit({
    name: 'subscription-user',
    what: 'Changes of one user’s subscription',
    limit: 60,
    periodMs: HOUR,
  }),
  buyerByUser: defineRateLimit({
    name: 'buyer-user',
    what: 'Changes of the details on one user’s invoices',
    limit: 60,
    periodMs: HOUR,
  }),
} as const satisfies Record<string, RateLimit>;

function registerCheckoutRoutes(app: FastifyInstance, deps: Deps) {
  const router = createRouter(app, deps);
  router.user(
    'GET /api/checkout/quote',
    { rateLimits: limitPerUser(billingLimits.quoteByUser) },
    ({ viewer, query }) => getQuote(deps, viewer, query),
  );
  router.user(
    'POST /api/checkout',
    { rateLimits: limitPerUser(billingLimits.checkoutByUser) },
    ({ viewer, body }) => startCheckout(deps, viewer, body),
  );
  router.user(
    'POST /api/checkout/:reference/confirm',
    { rateLimits: limitPerUser(billingLimits.confirmByUser) },
    ({ viewer, params }) => confirmCheckout(deps, viewer, params.reference),
  );
}

function registerChangeRoutes(app: FastifyInstance, deps: Deps) {
  const router = createRouter(app, deps);
  const rateLimits = limitPerUser(billingLimits.changeByUser);

  router.user('POST /api/subscription/cancel', { rateLimits }, ({ viewer, body }) =>
    cancelSubscription(deps, viewer, body),
  );
  router.user('POST /api/subscription/withdraw', { rateLimits }, ({ viewer }) =>
    withdraw(deps, viewer),
  );
  router.user('POST /api/subscription/resume', { rateLimits }, ({ viewer }) =>
    resumeSubscription(deps, viewer),
  );
  router.user('POST /api/subscription/change', { rateLimits }, ({ viewer, body }) =>
    changePlan(deps, viewer, body.plan),
  );
  router.user('GET /api/subscription/change', { rateLimits }, ({ viewer, query }) =>
    quoteChange(deps, viewer, query.plan),
  );
  const pageLimits = limitPerUser(billingLimits.checkoutByUser);
  router.user('POST /api/subscription/pay', { rateLimits: pageLimits }, ({ viewer }) =>
    openCardPage(deps, viewer, { isForOwed: true }),
  );
  router.user('POST /api/subscription/card', { rateLimits: pageLimits }, ({ viewer }) =>
    openCardPage(deps, viewer),
  );
}

function registerBuyerRoutes(app: FastifyInstance, deps: Deps) {
  const router = createRouter(app, deps);
  const rateLimits = limitPerUser(billingLimits.buyerByUser);
  router.user('GET /api/subscription/buyer', ({ viewer }) => readBuyer(deps, viewer.user.id));
  router.user('PUT /api/subscription/buyer', { rateLimits }, ({ viewer, body }) =>
    saveBuyer(deps, viewer.user.id, body),
  );
  router.user('DELETE /api/subscription/buyer', { rateLimits }, ({ viewer }) =>
    removeBuyer(deps, viewer.user.id),
  );
}

export function registerBillingRoutes(app: FastifyInstance, deps: Deps) {
  const router = createRouter(app, deps);
  router.public('GET /api/plans', () => getPlans(deps));
  router.user('GET /api/subscription', ({ viewer }) => getSubscription(deps, viewer));

  router.user('GET /api/subscription/invoices', ({ viewer, query }) =>
    listInvoicesOf(deps, viewer.user.id, query),
  );
  router.user('GET /api/subscription/invoices/:id', ({ viewer, params }) =>
    getInvoice(deps, viewer.user.id, params.id),
  );
  router.user('GET /api/subscription/credit-notes/:id', ({ viewer, params }) =>
    getCreditNote(deps, { userId: viewer.user.id }, params.id),
  );

  registerCheckoutRoutes(app, deps);
  registerChangeRoutes(app, deps);
  registerBuyerRoutes(app, deps);
  registerPayOnceRoutes(app, deps);
}

export function registerBillingAdminRoutes(app: FastifyInstance, deps: Deps) {
  const router = createRouter(app, deps);
  router.admin('GET /api/admin/users/:id/access', ({ params, query }) =>
    getAccessReport(deps, params.id, query.at),
  );
  router.admin('POST /api/admin/users/:id/access', ({ viewer, params, body }) =>
    changeAccess(deps, viewer, params.id, body),
  );
  router.admin('GET /api/admin/file-ends', () => getFileEnds(deps));
  router.admin('PUT /api/admin/file-ends', ({ viewer, body }) => setFileEnds(deps, viewer, body));
  router.admin('GET /api/admin/prices', () => getPrices(deps));
  router.admin('POST /api/admin/prices/changes', ({ viewer, body }) =>
    planPriceChange(deps, viewer, body),
  );
  router.admin('POST /api/admin/prices/changes/:id/cancel', ({ viewer, params }) =>
    cancelPriceChange(deps, viewer, params.id),
  );
  router.admin('GET /api/admin/coupons', ({ query }) => listCoupons(deps, query));

  router.admin('POST /api/admin/coupons', ({ viewer, body }) => createCoupon(deps, viewer, body));
  router.admin('POST /api/admin/gifts', ({ viewer, body }) => createGift(deps, viewer, body));
  registerPayOnceAdminRoutes(app, deps);
}
