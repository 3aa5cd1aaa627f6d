import { z } from 'zod';
import type { InvoiceRow } from '../queries.ts';

const plan = z.enum(['monthly', 'annual']);
const time = z.int();
const charge = { provider: z.string(), chargeId: z.string() };
const money = { amount: z.int(), currency: z.string() };

/** The facts of a message. It contains no personal data: the job looks up the recipient. */
export const BillingMessage = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('welcome'), plan, until: time.nullable() }),
  z.object({ kind: z.literal('receipt'), ...charge }),
  z.object({ kind: z.literal('reminder'), at: time, amount: z.int() }),
  /** A payment that is owed: on which day after it failed, until when it can be paid. */
  z.object({
    kind: z.literal('failed'),
    until: time,
    reason: z.string().nullable(),
    amount: z.int(),
    day: z.int(),
    needsMember: z.boolean(),
  }),
  z.object({ kind: z.literal('unpaid-end'), plan }),
  /** The provider charged it itself until now. */
  z.object({ kind: z.literal('came-over'), at: time, amount: z.int(), plan }),
  /** The bank lets nobody charge the card again. */
  z.object({ kind: z.literal('card-not-kept'), until: time }),
  /** Charged long after it was due, because the site was down. */
  z.object({ kind: z.literal('late-charge'), due: time, from: time, until: time }),
  z.object({ kind: z.literal('cancelled'), until: time.nullable() }),
  z.object({ kind: z.literal('refund'), ...charge, ...money }),
  z.object({ kind: z.literal('refund-failed'), ...charge, ...money }),
  /** A year ends: what is charged then, for another year or a month. */
  z.object({ kind: z.literal('year-ending'), at: time, amount: z.int(), plan }),
  z.object({ kind: z.literal('trial-ending'), at: time, amount: z.int(), plan }),
  z.object({
    kind: z.literal('card-expiring'),
    card: z.string(),
    expiry: z.string(),
    isExpired: z.boolean(),
    /** The next payment. */
    at: time.nullable(),
  }),
  z.object({ kind: z.literal('gift-ending'), until: time }),
  /** Its payment was refunded: what was left of it has ended. */
  z.object({ kind: z.literal('gift-ended'), until: time }),
  /** A bank had a payment and didn't make it. */
  z.object({ kind: z.literal('unarrived'), ...money }),
  z.object({
    kind: z.literal('refused'),
    ...money,
    why: z.enum(['amount', 'coupon', 'card', 'second', 'cancelled']),
  }),
  z.object({
    kind: z.literal('price-change'),
    plan,
    oldAmount: z.int(),
    amount: z.int(),
    /** The first payment that costs the new price. */
    at: time,
  }),
  z.object({ kind: z.literal('price-change-cancelled'), plan, amount: z.int() }),
  z.object({ kind: z.literal('trial-card-used') }),
  z.object({ kind: z.literal('once-ending'), until: time, months: z.int() }),
]);
export type BillingMessage = z.infer<typeof BillingMessage>;

export type MessageContext = {
  to: string;
  username: string;
  siteName: string;
  origin: string;
  timeZone: string;
  /** For a receipt. */
  invoice: InvoiceRow | null;
  /** For a refund: the number of its credit note, and whether the member withdrew. */
  refund: { creditNote: string | null; isWithdrawal: boolean } | null;
};

export type MessageText = {
  subject: string;
  lines: string[];
  link: { label: string; path: string };
};

/** Writes each kind of message. Null when there is no longer anything to say. */
export type MessageTexts = {
  [K in BillingMessage['kind']]: (
    message: Extract<BillingMessage, { kind: K }>,
    context: MessageContext,
  ) => MessageText | null;
};

export const toSubscription = { label: 'Your subscription', path: '/subscription' };
export const toPay = { label: 'Pay now or update your card', path: '/subscription' };
