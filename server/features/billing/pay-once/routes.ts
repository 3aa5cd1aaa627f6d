import type { FastifyInstance } from 'fastify';
import { DAY, HOUR } from '#contract/rules/time.ts';
import type { Deps } from '../../../deps.ts';
import {
  defineRateLimit,
  limitPerAddress,
  limitPerUser,
  type RateLimit,
} from '../../../http/route/rate-limit.ts';
import { createRouter } from '../../../http/route/route.ts';
import { refundPayment } from '../admin/service.ts';
import { getInvoiceOfGift } from '../ledger/invoices.ts';
import { buyGift, findGiftInvoiceId, getBoughtGift, sendGiftAgain } from './buy-gift.ts';
import { getPaidOnce, payOnce, returnOnce } from './pay-once.ts';
import { getGift, redeemGift } from './redeem-gift.ts';

const limits = {
  onceByUser: defineRateLimit({
    name: 'once-user',
    what: 'One-off payments started or given back by one user',
    limit: 20,
    periodMs: HOUR,
  }),
  /** Whoever tries stolen cards needs many pages. */
  giftByNetwork: defineRateLimit({
    name: 'bought-gift-ip',
    what: 'Gifts bought from one address',
    limit: 10,
    periodMs: HOUR,
  }),
  giftByEmail: defineRateLimit({
    name: 'bought-gift-email',
    what: 'Gifts bought with one e-mail address',
    limit: 20,
    periodMs: DAY,
  }),
  pageByNetwork: defineRateLimit({
    name: 'bought-gift-page-ip',
    what: 'Pages of bought gifts opened from one address',
    limit: 600,
    periodMs: HOUR,
  }),
  sendByNetwork: defineRateLimit({
    name: 'gift-mail-ip',
    what: 'Gift e-mails sent again from one address',
    limit: 5,
    periodMs: DAY,
  }),
  giftByUser: defineRateLimit({
    name: 'gift-user',
    what: 'Gifts claimed by one user',
    limit: 30,
    periodMs: HOUR,
  }),
} as const satisfies Record<string, RateLimit>;

function registerGiftRoutes(app: FastifyInstance, deps: Deps) {
  const router = createRouter(app, deps);
  router.viewer(
    'POST /api/bought-gifts',
    {
      rateLimits: ({ address, viewer, body }) => [
        { rule: limits.giftByNetwork, subject: address },
        { rule: limits.giftByEmail, subject: viewer?.user.email ?? body.email ?? '' },
      ],
    },
    ({ viewer, body }) => buyGift(deps, viewer, body),
  );
  const rateLimits = limitPerAddress(limits.pageByNetwork);
  router.public('GET /api/bought-gifts/:reference', { rateLimits }, ({ params }) =>
    getBoughtGift(deps, params.reference),
  );
  router.public('GET /api/bought-gifts/:reference/invoice', { rateLimits }, async ({ params }) =>
    getInvoiceOfGift(deps, await findGiftInvoiceId(deps, params.reference)),
  );
  router.public(
    'POST /api/bought-gifts/:reference/send',
    { rateLimits: limitPerAddress(limits.sendByNetwork) },
    ({ params }) => sendGiftAgain(deps, params.reference),
  );
  router.public('GET /api/gifts/:token', ({ params }) => getGift(deps, params.token));
  router.user(
    'POST /api/gifts/:token/redeem',
    { rateLimits: limitPerUser(limits.giftByUser) },
    ({ viewer, params }) => redeemGift(deps, viewer, params.token),
  );
}

/** What belongs to no account has no member's page to refund it from. */
export function registerPayOnceAdminRoutes(app: FastifyInstance, deps: Deps) {
  createRouter(app, deps).admin(
    'POST /api/admin/invoices/:id/refund',
    { needsConfirmation: true },
    ({ viewer, params, body }) =>
      refundPayment(deps, viewer, null, {
        ...body,
        invoiceId: params.id,
        endsSubscription: false,
      }),
  );
}

export function registerPayOnceRoutes(app: FastifyInstance, deps: Deps) {
  const router = createRouter(app, deps);
  const rateLimits = limitPerUser(limits.onceByUser);
  router.user('GET /api/pay-once', ({ viewer }) => getPaidOnce(deps, viewer));
  router.user('POST /api/pay-once', { rateLimits }, ({ viewer, body }) =>
    payOnce(deps, viewer, body),
  );
  router.user('POST /api/pay-once/:reference/return', { rateLimits }, ({ viewer, params }) =>
    returnOnce(deps, viewer, params.reference),
  );
  registerGiftRoutes(app, deps);
}
