import { createPaystackPayments } from '../ports/payments/paystack/paystack-payments.ts';
import type { Payments } from '../ports/payments/payments.ts';
import { createStripePayments } from '../ports/payments/stripe/stripe-payments.ts';
import type { Fault } from './fake-http.ts';
import { PAYSTACK_KEY, startFakePaystack, type FakePaystack } from './fake-paystack.ts';
import {
  startFakeStripe,
  STRIPE_KEY,
  STRIPE_WEBHOOK_SECRET,
  type FakeStripe,
} from './fake-stripe.ts';
import type { BankAnswer, PaymentsUnderTest } from './payments-contract/subject.ts';

export const START = Date.UTC(2026, 10, 15, 12);

/** How long a test waits for a response at most. */
const TIMEOUT_MS = 1500;

type Clock = { now: () => number };

export function createSetClock() {
  let time = START;
  return {
    now: () => time,
    set: (to: number) => {
      time = to;
    },
  };
}

/** Our real client, connected to a fake provider. */
export const connectPaystack = (fake: FakePaystack, clock: Clock): Payments =>
  createPaystackPayments(
    { api: fake.origin, secretKey: PAYSTACK_KEY },
    { clock, timeoutMs: TIMEOUT_MS },
  );

export const connectStripe = (fake: FakeStripe, clock: Clock): Payments =>
  createStripePayments(
    { api: fake.origin, secretKey: STRIPE_KEY, webhookSecret: STRIPE_WEBHOOK_SECRET },
    { clock, timeoutMs: TIMEOUT_MS },
  );

const MOVES_MONEY =
  /^POST \/(transaction\/charge_authorization|refund|v1\/refunds|v1\/payment_intents\/\w+\/confirm)$/;

/** What both fakes are told in the same words. */
const toSubject = (fake: FakePaystack | FakeStripe) => ({
  pay: async (reference: string) => fake.pay(reference),
  payByBank: async (reference: string) => fake.payByBank(reference),
  decideBankPayment: async (reference: string, isPaid: boolean) =>
    fake.decideBankPayment(reference, isPaid),
  setBankAnswer: async (token: string, answer: BankAnswer) => fake.setBankAnswer(token, answer),
  refundByHand: async (chargeId: string, amount: number) => fake.refund(chargeId, amount),
  dispute: async (chargeId: string) => fake.dispute(chargeId),
  sellOther: async () => fake.sellOther(),
  drainWebhooks: async () => fake.drainWebhooks(),
  sign: async (body: string) => fake.sign(body),
  setFault: fake.setFault,
  setChargeFault: (fault: Fault | null) => fake.setFault(fault, MOVES_MONEY),
  close: fake.close,
});

export async function createPaystackSubject(): Promise<PaymentsUnderTest> {
  const clock = createSetClock();
  const fake = await startFakePaystack(clock);
  return {
    ...toSubject(fake),
    payments: connectPaystack(fake, clock),
    now: clock.now,
    passTo: async (time) => clock.set(time),
    decline: async (reference) => fake.decline(reference),
    failRefund: async (chargeId) => fake.setRefund(chargeId, 'failed'),
    decideDispute: async (chargeId, outcome) =>
      fake.resolveDispute(chargeId, outcome === 'won' ? 'declined' : 'merchant-accepted'),
  };
}

export async function createStripeSubject(): Promise<PaymentsUnderTest> {
  const clock = createSetClock();
  const fake = await startFakeStripe(clock);
  return {
    ...toSubject(fake),
    payments: connectStripe(fake, clock),
    now: clock.now,
    passTo: async (time) => {
      clock.set(time);
      fake.passTo(time);
    },
    // Stripe does not report a declined card while its page is open.
    decline: async () => undefined,
    failRefund: async (chargeId) => fake.failRefund(chargeId),
    decideDispute: async (chargeId, outcome) => fake.dispute(chargeId, outcome),
  };
}
