import { createPaystackPayments } from '../ports/payments/paystack/paystack-payments.ts';
import type { Payments } from '../ports/payments/payments.ts';
import { PAYSTACK_KEY, startFakePaystack, type FakePaystack } from './fake-paystack.ts';
import type { PaymentsUnderTest } from './payments-contract/subject.ts';

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

const MOVES_MONEY = /^POST \/(transaction\/charge_authorization|refund)$/;

export async function createPaystackSubject(): Promise<PaymentsUnderTest> {
  const clock = createSetClock();
  const fake = await startFakePaystack(clock);
  return {
    payments: connectPaystack(fake, clock),
    now: clock.now,
    passTo: async (time) => clock.set(time),
    pay: async (reference) => fake.pay(reference),
    decline: async (reference) => fake.decline(reference),
    payByBank: async (reference) => fake.payByBank(reference),
    decideBankPayment: async (reference, isPaid) => fake.decideBankPayment(reference, isPaid),
    setBankAnswer: async (token, answer) => fake.setBankAnswer(token, answer),
    refundByHand: async (chargeId, amount) => fake.refund(chargeId, amount),
    failRefund: async (chargeId) => fake.setRefund(chargeId, 'failed'),
    dispute: async (chargeId) => fake.dispute(chargeId),
    decideDispute: async (chargeId, outcome) =>
      fake.resolveDispute(chargeId, outcome === 'won' ? 'declined' : 'merchant-accepted'),
    sellOther: async () => fake.sellOther(),
    drainWebhooks: async () => fake.drainWebhooks(),
    sign: async (body) => fake.sign(body),
    setFault: fake.setFault,
    setChargeFault: (fault) => fake.setFault(fault, MOVES_MONEY),
    close: fake.close,
  };
}
