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
  /** Free days before the first payment of a new customer; 0 for no trial. */
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
 * `active` renews; `cancelled` doesn't renew, but lasts until the end of the paid time; `late` has a
 * failed payment that we try again, `needs_member` one that the member has to pay on a page;
 * `complimentary` is free access (a gift, a grant or a trial without a card); `paid-once` is paid time
 * that doesn't renew.
 */
const SubscriptionStatus = z.enum([
  'free',
  'trial',
  'active',
  'cancelled',
  'late',
  'needs_member',
  'complimentary',
  'paid-once',
  'ended',
]);

/** `once` and `gift` buy months; `card-check` only saves a card. */
const PaymentKind = z.enum(['first', 'renewal', 'once', 'gift', 'card-check']);

export const Subscription = z.object({
  status: SubscriptionStatus,
  hasAccess: z.boolean(),
  plan: PlanName.nullable(),
  currency,
  paidThrough: time.nullable(),
  /** The end of the paid time plus the grace period. */
  accessUntil: time.nullable(),
  /** `isFirst`: nothing has been paid for this subscription yet. */
  nextPayment: z
    .object({ at: time, amount: cents, plan: PlanName, isFirst: z.boolean() })
    .nullable(),
  /** The plan from the next payment, if it changes. */
  nextPlan: PlanName.nullable(),
  /** The plan costs another amount from this payment on. */
  priceChange: z.object({ at: time, amount: cents, oldAmount: cents }).nullable(),
  card: Card.nullable(),
  /**
   * A payment that is owed: since when, until when it can be paid, why it failed, what it costs, when
   * we try the card again by ourselves, and whether the bank wants the member to confirm it.
   */
  problem: z
    .object({
      since: time,
      until: time,
      message: z.string(),
      amount: cents,
      retryAt: time.nullable(),
      needsMember: z.boolean(),
    })
    .nullable(),
  /** Something will charge the card again unless it is cancelled, with or without access now. */
  renews: z.boolean(),
  /** A bank is deciding about a dispute: nothing is charged until then. */
  isHeld: z.boolean(),
  /** The cooling-off period: cancelling until then gives this amount back. Null if it is over. */
  withdrawal: z
    .object({ amount: cents, until: time.nullable(), isRequested: z.boolean() })
    .nullable(),
  canResume: z.boolean(),
  /** A payment that was started and isn't decided; `isAtBank`: the bank says it's on its way. */
  pending: z
    .object({
      reference: z.string(),
      kind: PaymentKind,
      plan: PlanName.nullable(),
      months: z.int().nullable(),
      amount: cents,
      at: time,
      isAtBank: z.boolean(),
    })
    .nullable(),
});
export type Subscription = z.infer<typeof Subscription>;

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

/** What the user would pay today and later. */
export const Quote = z.object({
  plan: PlanName,
  currency,
  dueNow: cents,
  /** What checks the card today and is given back at once; 0 if nothing is charged. */
  cardCheck: cents,
  firstPaymentAt: time,
  thenAmount: cents,
  thenAt: time,
  trialDays: z.int().min(0),
  coupon: z.object({ code: z.string(), description: z.string() }).nullable(),
  /** Another price is planned: from this payment on the plan costs that. */
  priceChange: z.object({ at: time, amount: cents }).nullable(),
});
export type Quote = z.infer<typeof Quote>;

/** The next payment after a plan change. */
export const ChangeQuote = z.object({ plan: PlanName, currency, amount: cents, at: time });
export type ChangeQuote = z.infer<typeof ChangeQuote>;

export const billingRoutes = defineRoutes({
  'GET /api/plans': {
    summary: 'What Premium costs.',
    response: Plans,
  },
  'GET /api/subscription': {
    summary: 'Your subscription.',
    response: Subscription,
    errors: ['unauthenticated'],
  },
  'GET /api/checkout/quote': {
    summary: 'What a plan would cost you, with a coupon or the trial.',
    query: z.strictObject({ plan: PlanName, coupon: CouponCode.optional() }),
    response: Quote,
    errors: ['unauthenticated', 'coupon_invalid', 'amount_too_small', 'already_subscribed'],
  },
  'POST /api/checkout': {
    summary: 'Start a checkout; returns the payment URL.',
    body: z.strictObject({ plan: PlanName, coupon: CouponCode.optional() }),
    response: z.object({ url: z.string() }),
    errors: [
      'unauthenticated',
      'coupon_invalid',
      'amount_too_small',
      'already_subscribed',
      'provider_unavailable',
      'rate_limited',
    ],
  },
  'POST /api/checkout/:reference/confirm': {
    summary: 'Ask the payment provider whether a checkout was paid.',
    params: z.object({ reference: z.string().max(64) }),
    response: z.object({
      /** `pending`: the bank has it. `refused`: paid, but it doesn’t count and is refunded. */
      state: z.enum(['open', 'pending', 'paid', 'failed', 'refused']),
      /** The fields of the analytics event; only the first response after the payment has them. */
      purchase: z
        .object({ plan: PlanName.nullable(), amount: cents, currency, paymentMethod: z.string() })
        .nullable(),
    }),
    errors: ['unauthenticated', 'not_found', 'provider_unavailable'],
  },
  'POST /api/subscription/cancel': {
    summary: 'Cancel the subscription; access lasts until the end of the paid period.',
    body: z.strictObject({
      reason: z.enum(CANCEL_REASONS).optional(),
      comment: z.string().trim().max(1000, 'Use at most 1000 characters.').optional(),
    }),
    response: Subscription,
    errors: ['unauthenticated', 'not_subscribed', 'rate_limited'],
  },
  'POST /api/subscription/withdraw': {
    summary: 'Cancel within the cooling-off period: ends the subscription now and refunds it.',
    response: Subscription,
    errors: ['unauthenticated', 'withdrawal_over', 'provider_unavailable'],
  },
  'POST /api/subscription/resume': {
    summary: 'Resume a cancelled subscription.',
    response: Subscription,
    errors: ['unauthenticated', 'not_subscribed', 'rate_limited'],
  },
  'POST /api/subscription/change': {
    summary: 'Switch plans from the next payment; nothing is charged now.',
    body: z.strictObject({ plan: PlanName }),
    response: Subscription,
    errors: ['unauthenticated', 'not_subscribed', 'rate_limited'],
  },
  'GET /api/subscription/change': {
    summary: 'What switching plans would cost, and from when.',
    query: z.strictObject({ plan: PlanName }),
    response: ChangeQuote,
    errors: ['unauthenticated', 'not_subscribed', 'rate_limited'],
  },
  'POST /api/subscription/card': {
    summary:
      'Get the URL of a page for another card. While a payment is owed, it pays that; otherwise the card is only checked.',
    response: z.object({ url: z.string() }),
    errors: [
      'unauthenticated',
      'not_subscribed',
      'payment_on_its_way',
      'provider_unavailable',
      'rate_limited',
    ],
  },
  'POST /api/subscription/pay': {
    summary: 'Get the URL of a page that pays what is owed.',
    response: z.object({ url: z.string() }),
    errors: [
      'unauthenticated',
      'nothing_owed',
      'not_subscribed',
      'payment_on_its_way',
      'provider_unavailable',
      'rate_limited',
    ],
  },
});
