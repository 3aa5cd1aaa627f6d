import { DAY } from '#contract/rules/time.ts';
import {
  isRefusal,
  isUnauthorized,
  unknownCheckout,
  type Charge,
  type ProviderCheckoutState,
} from '../payments.ts';
import { findTransaction, type PaystackContext } from './context.ts';
import { isReusable, presentCharge } from './present.ts';
import { findStarted, readReversals } from './read-customer.ts';
import { refundOnce } from './refund.ts';
import type { OurMetadata, Transaction } from './shapes.ts';
import { createSubscription } from './subscriptions.ts';

/** The user can try another card while the page is open. */
function presentUnpaid(
  { status, metadata, created_at: createdAt, customer }: Transaction,
  charge: Charge,
  now: number,
): ProviderCheckoutState {
  const wasTried = status !== 'abandoned' && metadata?.purpose !== 'card-check';
  return {
    state: now < createdAt + DAY || charge.status === 'pending' ? 'open' : 'failed',
    providerSubscriptionId: null,
    customerId: customer.customer_code,
    charge: wasTried ? charge : null,
    cardFingerprint: null,
  };
}

/** The end of what was paid or promised, counted from the payment: a page may be open for a day. */
function findStart(
  { calendar }: PaystackContext,
  { paid_at, created_at }: Transaction,
  { purpose, plan, starts_at }: OurMetadata,
): number {
  if (purpose === 'card-check') return starts_at;
  return Math.max(starts_at, calendar.addPeriod(paid_at ?? created_at, plan));
}

/** Null if the card can't be charged again, or Paystack refuses for another reason. */
async function findOrCreate(
  context: PaystackContext,
  transaction: Transaction,
): Promise<string | null> {
  const { metadata, customer, authorization } = transaction;
  const find = () => findStarted(context, transaction);
  const found = await find();
  if (found !== null || !metadata || metadata.purpose === 'owed') return found;
  if (!isReusable(authorization)) return null;
  const request = {
    customer: customer.customer_code,
    plan: metadata.plan_code,
    authorization: authorization?.authorization_code ?? undefined,
    startsAt: findStart(context, transaction, metadata),
  };
  try {
    return await createSubscription(context, request, find);
  } catch (error) {
    if (isRefusal(error)) return null;
    throw error;
  }
}

/** Nothing is paid yet, so without a subscription there is no checkout. */
async function readCardCheck(
  context: PaystackContext,
  transaction: Transaction,
): Promise<Pick<ProviderCheckoutState, 'state' | 'providerSubscriptionId' | 'charge'>> {
  const { reference, amount } = transaction;
  const providerSubscriptionId = await findOrCreate(context, transaction);
  await refundOnce(context, transaction, { amount, key: `check-${reference}` });
  const state = providerSubscriptionId === null ? 'failed' : 'paid';
  return { state, providerSubscriptionId, charge: null };
}

/** The payment is reported even if its subscription isn't there yet: `finishCheckout` creates it. */
async function findSubscriptionOf(
  context: PaystackContext,
  transaction: Transaction,
): Promise<string | null> {
  if (transaction.metadata?.purpose !== 'first-payment') return findStarted(context, transaction);
  try {
    return await findOrCreate(context, transaction);
  } catch (error) {
    if (isUnauthorized(error)) throw error;
    return null;
  }
}

export async function getCheckout(
  context: PaystackContext,
  reference: string,
): Promise<ProviderCheckoutState> {
  const transaction = await findTransaction(context, reference);
  if (!transaction) return unknownCheckout;
  const { metadata, customer, authorization } = transaction;
  const reversals = await readReversals(context.api, [transaction]);
  const charge = presentCharge(context.plans, transaction, reversals);
  if (charge.status !== 'paid') return presentUnpaid(transaction, charge, context.clock.now());
  const paid = {
    customerId: customer.customer_code,
    cardFingerprint: authorization?.signature ?? null,
  };
  if (metadata?.purpose === 'card-check')
    return {
      ...paid,
      ...(await readCardCheck(context, transaction)),
      cardCheck: { ...charge, refunded: charge.amount },
    };
  const providerSubscriptionId = await findSubscriptionOf(context, transaction);
  return {
    ...paid,
    state: 'paid',
    providerSubscriptionId,
    charge: { ...charge, providerSubscriptionId },
  };
}

export async function finishCheckout(
  context: PaystackContext,
  reference: string,
): Promise<{ providerSubscriptionId: string | null }> {
  const transaction = await findTransaction(context, reference);
  const isPaid = transaction?.status === 'success';
  return { providerSubscriptionId: isPaid ? await findOrCreate(context, transaction) : null };
}
