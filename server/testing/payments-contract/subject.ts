import { afterEach, beforeEach } from 'vitest';
import type { Plan } from '#contract/rules/plans.ts';
import type { CheckoutRequest, Payments } from '../../ports/payments/payments.ts';
import type { Fault } from '../fake-http.ts';

export type Delivery = { headers: Record<string, string>; rawBody: Buffer };

/** A provider, and everything that its customers, their banks and time do to it. */
export type PaymentsUnderTest = {
  payments: Payments;
  now: () => number;
  /** Lets time pass and charges what is due on the way. */
  passTo: (time: number) => Promise<void>;
  pay: (reference: string) => Promise<void>;
  decline: (reference: string) => Promise<void>;
  /** From now on the bank declines every charge of this subscription. */
  emptyAccount: (providerSubscriptionId: string) => Promise<void>;
  /** There is money again. */
  fillAccount: (providerSubscriptionId: string) => Promise<void>;
  /** The customer replaces the card by one that pays, on the provider's page. */
  updateCard: (providerSubscriptionId: string) => Promise<void>;
  /** Tries a failed renewal again in the days after it; otherwise on the next date. */
  isRetrying: boolean;
  dispute: (chargeId: string) => Promise<void>;
  drainWebhooks: () => Promise<Delivery[]>;
  /** Signs a body that the provider never sent with the provider's key. */
  sign: (body: string) => Promise<Delivery>;
  /** Absent if the provider is not a separate server that can fail. */
  setFault?: (fault: Fault | null) => void;
  close: () => Promise<void>;
};

const AMOUNTS: Record<Plan, number> = { monthly: 7900, annual: 79_000 };

/** The provider of the current test. */
export const subject = {} as PaymentsUnderTest;

export function useSubject(create: () => Promise<PaymentsUnderTest>) {
  beforeEach(async () => {
    Object.assign(subject, await create());
  });
  afterEach(() => subject.close());
}

export const ask = (change: Partial<CheckoutRequest> = {}): CheckoutRequest => {
  const plan = change.plan ?? 'monthly';
  return {
    reference: 'ref-0123456789',
    userId: 'user-1',
    email: 'thandi@example.com',
    customerId: null,
    plan,
    amount: AMOUNTS[plan],
    renewalAmount: AMOUNTS[plan],
    currency: 'ZAR',
    firstChargeAt: subject.now(),
    successUrl: 'https://site.example/subscription-success',
    cancelUrl: 'https://site.example/pricing',
    ...change,
  };
};

export async function subscribe(change: Partial<CheckoutRequest> = {}) {
  const request = ask(change);
  const { checkoutId } = await subject.payments.startCheckout(request);
  await subject.pay(request.reference);
  const checkout = await subject.payments.getCheckout(request.reference, checkoutId);
  const { providerSubscriptionId, customerId } = checkout;
  if (!providerSubscriptionId || !customerId) throw new Error('The checkout has no subscription.');
  return { providerSubscriptionId, customerId, checkout };
}

export const read = (id: string) => subject.payments.getProviderSubscription(id);
export const readCharges = async (customerId: string) =>
  (await subject.payments.listProviderSubscriptions(customerId))
    .flatMap(({ charges }) => charges)
    .toSorted((a, b) => a.at - b.at);
export const month = (from: number) => subject.payments.calendar.addPeriod(from, 'monthly');

/** Providers count in seconds. */
export const about = (time: number | null) => Math.floor((time ?? 0) / 1000);

export async function catchError(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error('It did not fail.');
}
