import { z } from 'zod';
import { defineRoutes } from './route.ts';
import { CURRENCY } from './rules/plans.ts';

export const PlanName = z.enum(['monthly', 'annual']);
const cents = z.int().min(0);
const time = z.int();
const currency = z.literal(CURRENCY);

export const Plans = z.object({
  currency,
  monthly: z.object({ amount: cents }),
  annual: z.object({ amount: cents }),
  /** Days before the first payment for who has never had any; 0 when there is no trial. */
  trialDays: z.int().min(0),
});
export type Plans = z.infer<typeof Plans>;

export const Card = z.object({
  brand: z.string(),
  last4: z.string(),
  expiryMonth: z.int(),
  expiryYear: z.int(),
});

/**
 * `active` renews, `cancelled` does not and still has access, `late` has a payment that failed and
 * still has access, `complimentary` has access that nobody pays for (a gift, a trial without a card).
 */
export const SubscriptionStatus = z.enum([
  'free',
  'trial',
  'active',
  'cancelled',
  'late',
  'complimentary',
  'ended',
]);

export const Subscription = z.object({
  status: SubscriptionStatus,
  hasAccess: z.boolean(),
  plan: PlanName.nullable(),
  currency,
  paidThrough: time.nullable(),
  /** The end of what is paid for and of the days of grace after it. */
  accessUntil: time.nullable(),
  nextPayment: z.object({ at: time, amount: cents, plan: PlanName }).nullable(),
  /** The plan from the next payment on, where it differs. */
  nextPlan: PlanName.nullable(),
  card: Card.nullable(),
  /** A payment that failed and has not been made up for. */
  problem: z.object({ since: time, message: z.string() }).nullable(),
  canResume: z.boolean(),
  /** A checkout that was begun and is not decided yet. */
  pendingReference: z.string().nullable(),
  /** Agreements with a company that the site does not use any more: they can only be cancelled there. */
  elsewhere: z.array(z.object({ provider: z.string(), plan: PlanName })),
});
export type Subscription = z.infer<typeof Subscription>;

export const Invoice = z.object({
  id: z.string(),
  /** Counts up without a gap, as the books want it. */
  number: z.string(),
  at: time,
  plan: PlanName,
  from: time,
  to: time,
  amount: cents,
  refunded: cents,
  currency,
  card: Card.nullable(),
  status: z.enum(['paid', 'refunded', 'partly-refunded', 'disputed']),
});
export type Invoice = z.infer<typeof Invoice>;

export const InvoicePage = Invoice.extend({
  seller: z.string(),
  buyer: z.object({ username: z.string(), email: z.string() }),
});

export const CANCEL_REASONS = [
  'too-expensive',
  'not-enough-music',
  'technical-problems',
  'another-service',
  'only-for-a-while',
  'other',
] as const;

const CouponCode = z
  .string()
  .trim()
  .toUpperCase()
  .regex(/^[A-Z0-9-]{3,32}$/, 'Enter a code of 3 to 32 letters, digits and dashes.');

/** What the member pays today and then, before anything is charged. */
export const Quote = z.object({
  plan: PlanName,
  currency,
  dueNow: cents,
  firstPaymentAt: time,
  thenAmount: cents,
  thenAt: time,
  trialDays: z.int().min(0),
  coupon: z.object({ code: z.string(), says: z.string() }).nullable(),
});
export type Quote = z.infer<typeof Quote>;

/** The next payment after a change of plan. */
export const ChangeQuote = z.object({ plan: PlanName, currency, amount: cents, at: time });
export type ChangeQuote = z.infer<typeof ChangeQuote>;

export const billingRoutes = defineRoutes({
  'GET /api/plans': {
    summary: 'What Premium costs.',
    response: Plans,
  },
  'GET /api/subscription': {
    summary: "The member's subscription.",
    response: Subscription,
    errors: ['unauthenticated'],
  },
  'GET /api/subscription/invoices': {
    summary: "The member's invoices, the newest first.",
    query: z.strictObject({
      cursor: z.string().max(200).optional(),
      limit: z.coerce.number().int().min(1).max(100).optional(),
    }),
    response: z.object({ items: z.array(Invoice), nextCursor: z.string().nullable() }),
    errors: ['unauthenticated'],
  },
  'GET /api/subscription/invoices/:id': {
    summary: 'One invoice with all that a printed one needs.',
    params: z.object({ id: z.string().max(64) }),
    response: InvoicePage,
    errors: ['unauthenticated', 'not_found'],
  },
  'GET /api/checkout/quote': {
    summary: 'What a plan would cost this member, with a coupon or the trial taken into account.',
    query: z.strictObject({ plan: PlanName, coupon: CouponCode.optional() }),
    response: Quote,
    errors: ['unauthenticated', 'coupon_invalid', 'already_subscribed'],
  },
  'POST /api/checkout': {
    summary: "Begin paying; answers the address of the provider's page.",
    body: z.strictObject({ plan: PlanName, coupon: CouponCode.optional() }),
    response: z.object({ url: z.string() }),
    errors: [
      'unauthenticated',
      'coupon_invalid',
      'already_subscribed',
      'provider_unavailable',
      'rate_limited',
    ],
  },
  'POST /api/checkout/:reference/settle': {
    summary: 'Ask the provider what became of a checkout, now instead of when it tells us.',
    params: z.object({ reference: z.string().max(64) }),
    response: z.object({
      /** `refused` was paid with another amount than agreed: it gives nothing and goes back. */
      state: z.enum(['open', 'paid', 'failed', 'refused']),
      /** Present once, for whoever paid: the fields of the analytics event. */
      purchase: z
        .object({ plan: PlanName, amount: cents, currency, paymentMethod: z.string() })
        .nullable(),
    }),
    errors: ['unauthenticated', 'not_found', 'provider_unavailable'],
  },
  'POST /api/subscription/cancel': {
    summary: 'Do not renew; access stays to the end of what is paid for.',
    body: z.strictObject({
      reason: z.enum(CANCEL_REASONS),
      comment: z.string().trim().max(1000, 'Use at most 1000 characters.').optional(),
    }),
    response: Subscription,
    errors: ['unauthenticated', 'not_subscribed', 'provider_unavailable'],
  },
  'POST /api/subscription/resume': {
    summary: 'Renew again after all.',
    response: Subscription,
    errors: ['unauthenticated', 'not_subscribed', 'provider_unavailable'],
  },
  'POST /api/subscription/change': {
    summary: 'Change the plan from the next payment on; nothing is charged now.',
    body: z.strictObject({ plan: PlanName }),
    response: Subscription,
    errors: ['unauthenticated', 'not_subscribed', 'provider_unavailable'],
  },
  'GET /api/subscription/change': {
    summary: 'What a change of plan would charge, and when.',
    query: z.strictObject({ plan: PlanName }),
    response: ChangeQuote,
    errors: ['unauthenticated', 'not_subscribed', 'rate_limited'],
  },
  'POST /api/subscription/card': {
    summary: "The provider's page where the card is replaced.",
    response: z.object({ url: z.string() }),
    errors: ['unauthenticated', 'not_subscribed', 'provider_unavailable'],
  },
  'GET /api/gifts/:token': {
    summary: 'What a gift link gives.',
    params: z.object({ token: z.string().max(64) }),
    response: z.object({ months: z.int(), from: z.string(), isRedeemed: z.boolean() }),
    errors: ['not_found'],
  },
  'POST /api/gifts/:token/redeem': {
    summary: 'Take a gift; it counts from the end of what is already paid for.',
    params: z.object({ token: z.string().max(64) }),
    response: Subscription,
    errors: ['unauthenticated', 'not_found', 'gift_redeemed'],
  },
});
