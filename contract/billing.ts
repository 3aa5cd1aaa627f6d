import { z } from 'zod';
import { PageQuery, pageOf } from './paging.ts';
import { defineRoutes } from './route.ts';
import { CURRENCY } from './rules/plans.ts';
import { line, Lines, VatNumber } from './rules/text-fields.ts';

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
export const PaymentKind = z.enum(['first', 'renewal', 'once', 'gift', 'card-check']);

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
  pendingReference: z.string().nullable(),
});
export type Subscription = z.infer<typeof Subscription>;

/** A refund of an invoice, or a debit note that takes it back because the refund failed. */
export const CreditNote = z.object({
  id: z.string(),
  kind: z.enum(['credit', 'debit']),
  /** `CN-000001` or `DN-000001`, each series without gaps. */
  number: z.string(),
  /** When the money moved. */
  at: time,
  /** The date of the document. */
  issuedAt: time,
  amount: cents,
  reason: z.enum(['refund', 'charge-back', 'refund-failed', 'charge-back-won']),
});
export type CreditNote = z.infer<typeof CreditNote>;

export const Invoice = z.object({
  id: z.string(),
  /** Consecutive, without gaps, as accounting requires. */
  number: z.string(),
  /** When it was paid. */
  at: time,
  /** The date of the document: it rises with the number. */
  issuedAt: time,
  /** Null for a payment for some months. */
  plan: PlanName.nullable(),
  months: z.int().nullable(),
  from: time,
  to: time,
  amount: cents,
  /** What happened to the payment later; the invoice itself doesn't change. */
  refunded: cents,
  currency,
  card: Card.nullable(),
  status: z.enum(['paid', 'refunded', 'partly-refunded', 'disputed', 'charged-back']),
  creditNotes: z.array(CreditNote),
});
export type Invoice = z.infer<typeof Invoice>;

/** The seller on the day of the document; empty texts where the settings said nothing. */
export const Seller = z.object({
  name: z.string(),
  status: z.string(),
  /** Several lines. */
  address: z.string(),
  registration: z.string(),
  vatNumber: z.string(),
  phone: z.string(),
  email: z.string(),
});
export type Seller = z.infer<typeof Seller>;

/** Above this amount, in cents, a tax invoice has the buyer's name, address and VAT number, if any. */
export const FULL_TAX_INVOICE_ABOVE = 5_000_00;

/** What a member wants on invoices instead of the username. */
export const BuyerDetails = z.strictObject({
  name: line(120).min(1, 'Enter a name.'),
  address: Lines.min(1, 'Enter an address.'),
  /** Empty if the buyer isn't registered. */
  vatNumber: VatNumber,
});
export type BuyerDetails = z.infer<typeof BuyerDetails>;

/** What every printed document says. */
const documentFields = {
  description: z.string(),
  seller: Seller,
  /** Null after the account was deleted. */
  buyer: z
    .object({ name: z.string(), email: z.string(), address: z.string(), vatNumber: z.string() })
    .nullable(),
  /** The law wants the buyer's address on it, and we don't have it yet. */
  lacksBuyer: z.boolean(),
  /** Null if no VAT was charged. The amount is the sum of `vat` and `excluding`. */
  tax: z.object({ percent: z.number(), vat: cents, excluding: cents }).nullable(),
};

export const InvoicePage = Invoice.extend(documentFields);
export type InvoicePage = z.infer<typeof InvoicePage>;

export const CreditNotePage = CreditNote.extend({
  currency,
  invoice: z.object({ id: z.string(), number: z.string(), issuedAt: time }),
  ...documentFields,
});
export type CreditNotePage = z.infer<typeof CreditNotePage>;

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
  'GET /api/subscription/invoices': {
    summary: 'Your invoices, newest first.',
    query: PageQuery,
    response: pageOf(Invoice),
    errors: ['unauthenticated'],
  },
  'GET /api/subscription/invoices/:id': {
    summary: 'One invoice, with everything needed to print it.',
    params: z.object({ id: z.string().max(64) }),
    response: InvoicePage,
    errors: ['unauthenticated', 'not_found'],
  },
  'GET /api/subscription/credit-notes/:id': {
    summary: 'One credit note or debit note, with everything needed to print it.',
    params: z.object({ id: z.string().max(64) }),
    response: CreditNotePage,
    errors: ['unauthenticated', 'not_found'],
  },
  'GET /api/subscription/buyer': {
    summary: 'What your invoices say about you besides your e-mail address.',
    response: z.object({ buyer: BuyerDetails.nullable() }),
    errors: ['unauthenticated'],
  },
  'PUT /api/subscription/buyer': {
    summary: 'Put a name, an address and a VAT number on your invoices from now on.',
    body: BuyerDetails,
    response: z.object({ buyer: BuyerDetails.nullable() }),
    errors: ['unauthenticated', 'rate_limited'],
  },
  'DELETE /api/subscription/buyer': {
    summary: 'Take these details off your invoices from now on.',
    response: z.object({ buyer: z.null() }),
    errors: ['unauthenticated', 'rate_limited'],
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
