import { Stripe } from 'stripe';
import { expect, it } from 'vitest';
import type { z } from 'zod';
import {
  chargePayload,
  disputePayload,
  invoicePayload,
  payoutPayload,
  pricePayload,
  refundPayload,
  schedulePayload,
  sessionPayload,
  subscriptionPayload,
} from '../../../testing/stripe-payloads.ts';
import {
  Charge,
  CheckoutSession,
  Dispute,
  Invoice,
  Payout,
  type BalanceTransaction,
  type PortalSession,
  Price,
  Refund,
  Schedule,
  Subscription,
} from './shapes.ts';

/** Compiles only while our schemas accept everything the official client may return. */
type Takes<Ours extends z.ZodType, Theirs extends z.input<Ours>> = Theirs;
export type HeldToTheClient = [
  Takes<typeof Price, Stripe.Price>,
  Takes<typeof Charge, Stripe.Charge>,
  Takes<typeof Dispute, Stripe.Dispute>,
  Takes<typeof Refund, Stripe.Refund>,
  Takes<typeof CheckoutSession, Stripe.Checkout.Session>,
  Takes<typeof PortalSession, Stripe.BillingPortal.Session>,
  Takes<typeof Schedule, Stripe.SubscriptionSchedule>,
  Takes<typeof Subscription, Stripe.Subscription>,
  Takes<typeof Invoice, Stripe.Invoice>,
  Takes<typeof Payout, Stripe.Payout>,
  Takes<typeof BalanceTransaction, Stripe.BalanceTransaction>,
];

const price = { id: 'price_monthly', amount: 7900, interval: 'month' as const };
const at = Date.UTC(2026, 10, 15);
const charge = {
  id: 'ch_1',
  customer: 'cus_1',
  intent: 'pi_1',
  amount: 7900,
  refunded: 0,
  dispute: null,
  isPaid: true,
  card: 'first',
  at,
};
const paymentMethod = { id: 'pm_1', card: 'first', createdAt: at };
const phase = { price, startsAt: at, endsAt: at + 1000 };
const schedule = {
  id: 'sub_sched_1',
  status: 'active' as const,
  subscription: 'sub_1',
  customer: 'cus_1',
  phases: [phase],
  current: phase,
  paymentMethod,
};

it.each([
  ['a price', pricePayload(price), Price],
  ['a charge', chargePayload(charge), Charge],
  ['a dispute', disputePayload(charge), Dispute],
  ['a payout', payoutPayload({ id: 'po_1', amount: 7900, fees: [], at }), Payout],
  ['a refund', refundPayload({ id: 're_1', charge: 'ch_1', amount: 1, key: 'k' }), Refund],
  ['a schedule', schedulePayload(schedule), Schedule],
  [
    'a session',
    sessionPayload({
      id: 'cs_1',
      reference: 'ref-1',
      status: 'open',
      customer: null,
      subscription: null,
      isFree: false,
      createdAt: at,
    }),
    CheckoutSession,
  ],
  [
    'a subscription',
    subscriptionPayload({
      id: 'sub_1',
      reference: 'ref-1',
      customer: { id: 'cus_1', paymentMethod },
      paymentMethod,
      status: 'active',
      price,
      isCancelled: false,
      trialEnd: null,
      periodStart: at,
      periodEnd: at,
      schedule,
    }),
    Subscription,
  ],
  [
    'an invoice',
    invoicePayload({
      id: 'in_1',
      customer: 'cus_1',
      subscription: 'sub_1',
      reason: 'subscription_create',
      status: 'paid',
      price,
      amount: 7900,
      intent: 'pi_1',
      createdAt: at,
      retryAt: null,
    }),
    Invoice,
  ],
])('the client accepts %s of the fake', (_what, payload, schema) => {
  expect(schema.safeParse(payload).error).toBeUndefined();
});

it('uses the API version that the client pins', () => {
  expect(Stripe.API_VERSION).toBe('2026-10-28.endive');
});
