import { Stripe } from 'stripe';
import { expect, it } from 'vitest';
import type { z } from 'zod';
import {
  chargePayload,
  disputePayload,
  intentPayload,
  paymentMethodPayload,
  payoutPayload,
  refundPayload,
  sessionPayload,
  setupPayload,
} from '../../../testing/stripe-payloads.ts';
import {
  Charge,
  CheckoutSession,
  Dispute,
  PaymentIntent,
  PaymentMethod,
  Payout,
  Refund,
  SetupIntent,
  type BalanceTransaction,
} from './answers.ts';

/** Compiles only while our schemas accept everything the official client may return. */
type Takes<Ours extends z.ZodType, Theirs extends z.input<Ours>> = Theirs;
export type HeldToTheClient = [
  Takes<typeof Charge, Stripe.Charge>,
  Takes<typeof PaymentIntent, Stripe.PaymentIntent>,
  Takes<typeof SetupIntent, Stripe.SetupIntent>,
  Takes<typeof PaymentMethod, Stripe.PaymentMethod>,
  Takes<typeof Dispute, Stripe.Dispute>,
  Takes<typeof Refund, Stripe.Refund>,
  Takes<typeof CheckoutSession, Stripe.Checkout.Session>,
  Takes<typeof Payout, Stripe.Payout>,
  Takes<typeof BalanceTransaction, Stripe.BalanceTransaction>,
];

const at = Date.UTC(2026, 10, 15);
const refund = {
  id: 're_1',
  charge: 'ch_1',
  intent: 'pi_1',
  amount: 1,
  metadata: { key: 'k' },
  status: 'succeeded' as const,
  createdAt: at,
};
const charge = {
  id: 'ch_1',
  intent: 'pi_1',
  amount: 7900,
  dispute: null,
  isPaid: true,
  type: 'card',
  card: 'first',
  email: 'thandi@example.com',
  at,
  refunds: [refund],
};
const intent = {
  id: 'pi_1',
  status: 'succeeded' as const,
  amount: 7900,
  metadata: { reference: 'wk-1' },
  customer: 'cus_1',
  paymentMethod: 'pm_1',
  savesCard: true,
  error: null,
  charge,
  createdAt: at,
};
const method = { id: 'pm_1', card: 'first', email: 'thandi@example.com', customer: 'cus_1' };
const session = {
  id: 'cs_1',
  mode: 'payment' as const,
  reference: 'wk-1',
  status: 'open' as const,
  isPaid: false,
  amount: 7900,
  email: 'thandi@example.com',
  customer: null,
  intent: null,
  setup: null,
  createdAt: at,
};

it.each([
  ['a charge', chargePayload(charge), Charge],
  ['a payment', intentPayload(intent), PaymentIntent],
  ['a saved card', setupPayload({ id: 'seti_1', metadata: {}, method }), SetupIntent],
  ['a payment method', paymentMethodPayload(method), PaymentMethod],
  ['a dispute', disputePayload(charge), Dispute],
  ['a payout', payoutPayload({ id: 'po_1', amount: 7900, fees: [], at }), Payout],
  ['a refund', refundPayload(refund), Refund],
  ['a page', sessionPayload(session), CheckoutSession],
])('the client accepts %s of the fake', (_what, payload, schema) => {
  expect(schema.safeParse(payload).error).toBeUndefined();
});

it.each(['javascript:alert(1)', 'http://checkout.stripe.com/x', 'file:///etc/passwd'])(
  'never redirects to %s',
  (url) => {
    expect(CheckoutSession.safeParse({ ...sessionPayload(session), url }).success).toBe(false);
  },
);

it('uses the API version that the client pins', () => {
  expect(Stripe.API_VERSION).toBe('2026-10-28.endive');
});
