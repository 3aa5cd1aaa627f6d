import { afterEach, beforeEach } from 'vitest';
import type { PlanIds } from '../../payments-settings.ts';
import type { CheckoutRequest, Payments } from '../../ports/payments/payments.ts';
import { startFakePaystack, type FakePaystack } from '../fake-paystack.ts';
import { connectPaystack, createSetClock, START } from '../fake-providers.ts';

/** The fake company and our adapter of the current test. */
export let fake: FakePaystack;
export let payments: Payments;
export const clock = createSetClock();

/** A new process, which remembers nothing. */
export const restart = (plans?: PlanIds) => {
  payments = connectPaystack(fake, clock, plans);
};

async function start() {
  clock.set(START);
  fake = await startFakePaystack(clock);
  restart();
}

/** Another company, as at the beginning of a test. */
export async function startOver() {
  await fake.close();
  await start();
}

export function usePaystack() {
  beforeEach(start);
  afterEach(() => fake.close());
}

export const request: CheckoutRequest = {
  reference: 'ref-1',
  userId: 'user-1',
  email: 'thandi@example.com',
  customerId: null,
  plan: 'monthly',
  amount: 7900,
  renewalAmount: 7900,
  currency: 'ZAR',
  firstChargeAt: START,
  successUrl: 'https://site.example/subscription-success',
  cancelUrl: 'https://site.example/pricing',
};

export const passTo = (time: number) => {
  clock.set(time);
  fake.passTo(time);
};

export const month = (from: number) => payments.calendar.addPeriod(from, 'monthly');

/** Starts and pays a checkout, and returns the id of its subscription. */
export async function subscribe(
  change: Partial<CheckoutRequest> = {},
  card?: string,
): Promise<string> {
  const started = { ...request, ...change };
  await payments.startCheckout(started);
  fake.pay(started.reference, card);
  const { providerSubscriptionId } = await payments.getCheckout(started.reference);
  return providerSubscriptionId ?? '';
}

export const readState = async (id: string) =>
  (await payments.getProviderSubscription(id)).providerSubscription;

export const readPaid = async (id: string) =>
  (await payments.getProviderSubscription(id)).charges
    .filter(({ status }) => status === 'paid')
    .map(({ at, amount }) => [at, amount]);

export const listStatuses = () => fake.subscriptions.map(({ status }) => status);

/** What the bank took in all, without refunds. */
export const listTaken = () =>
  fake.transactions
    .filter(({ status }) => status === 'success')
    .map(({ paidAt, amount }) => [paidAt, amount]);

export const countSeen = (line: string | RegExp) =>
  fake.seen.filter((seen) => (typeof line === 'string' ? seen === line : line.test(seen))).length;

export function parseEvent(event: string, data: unknown) {
  const { headers, rawBody } = fake.sign(JSON.stringify({ event, data }));
  return payments.parseWebhook(headers, rawBody);
}
