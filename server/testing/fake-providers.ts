import type { PlanIds } from '../payments-settings.ts';
import { createPaystackPayments } from '../ports/payments/paystack/paystack-payments.ts';
import type { Payments } from '../ports/payments/payments.ts';
import { createStripePayments } from '../ports/payments/stripe/stripe-payments.ts';
import {
  PAYSTACK_KEY,
  PAYSTACK_PLANS,
  startFakePaystack,
  type FakePaystack,
} from './fake-paystack.ts';
import {
  startFakeStripe,
  STRIPE_KEY,
  STRIPE_PRICES,
  STRIPE_WEBHOOK_SECRET,
  type FakeStripe,
} from './fake-stripe.ts';
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
type SetClock = ReturnType<typeof createSetClock>;

/** Our real client, connected to a fake provider. */
export const connectPaystack = (
  fake: FakePaystack,
  clock: Clock,
  plans = PAYSTACK_PLANS,
): Payments =>
  createPaystackPayments(
    // A copy: the adapter adds the plans of later prices.
    { api: fake.origin, secretKey: PAYSTACK_KEY, plans: { ...plans } },
    { clock, timeoutMs: TIMEOUT_MS },
  );

export const connectStripe = (
  fake: FakeStripe,
  clock: Clock,
  prices: PlanIds = STRIPE_PRICES,
): Payments =>
  createStripePayments(
    {
      api: fake.origin,
      secretKey: STRIPE_KEY,
      webhookSecret: STRIPE_WEBHOOK_SECRET,
      prices,
    },
    { clock, timeoutMs: TIMEOUT_MS },
  );

const toSubject = (
  fake: FakePaystack | FakeStripe,
  payments: Payments,
  clock: SetClock,
): PaymentsUnderTest => ({
  payments,
  now: clock.now,
  passTo: async (time) => {
    clock.set(time);
    fake.passTo(time);
  },
  pay: async (reference) => fake.pay(reference),
  // Stripe does not report a declined card while its page is open.
  decline: async (reference) => ('decline' in fake ? fake.decline(reference) : undefined),
  emptyAccount: async (id) => fake.emptyAccount(id),
  fillAccount: async (id) => fake.fillAccount(id),
  updateCard: async (id) => fake.updateCard(id, 'second'),
  isRetrying: payments.name === 'stripe',
  dispute: async (id) => fake.dispute(id),
  drainWebhooks: async () => fake.drainWebhooks(),
  sign: async (body) => fake.sign(body),
  setFault: fake.setFault,
  close: fake.close,
});

export async function createPaystackSubject(): Promise<PaymentsUnderTest> {
  const clock = createSetClock();
  const fake = await startFakePaystack(clock);
  return toSubject(fake, connectPaystack(fake, clock), clock);
}

export async function createStripeSubject(): Promise<PaymentsUnderTest> {
  const clock = createSetClock();
  const fake = await startFakeStripe(clock);
  return toSubject(fake, connectStripe(fake, clock), clock);
}
