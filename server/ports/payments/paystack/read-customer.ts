import type { z } from 'zod';
import type { PlanIds } from '../../../payments-settings.ts';
import { failure, type ProviderSubscriptionState } from '../payments.ts';
import { TooLong, type PaystackApi } from './api.ts';
import { assignCharges, findOwners, type Candidate, type Payment } from './assign-charges.ts';
import { listSubscriptions, listTransactions, type PaystackContext } from './context.ts';
import { toProviderSubscription, presentCharge, sumReversals, type Reversals } from './present.ts';
import { Dispute, Refund, type Customer, type Subscription, type Transaction } from './shapes.ts';

/** Reads up to this many pages of all refunds instead of sending one request per payment. */
const SHARED_PAGES = 5;

/** Everything since the oldest payment, or one request per payment if that is too much. */
async function listSince<T>(
  api: PaystackApi,
  path: '/refund' | '/dispute',
  paid: readonly Transaction[],
  schema: z.ZodType<T>,
): Promise<T[]> {
  const from = new Date(Math.min(...paid.map(({ created_at }) => created_at))).toISOString();
  if (paid.length > 1)
    try {
      return await api.list(path, { from }, schema, SHARED_PAGES);
    } catch (error) {
      if (!(error instanceof TooLong)) throw error;
    }
  const found: T[] = [];
  for (const { id: transaction } of paid)
    found.push(...(await api.list(path, { transaction, from }, schema)));
  return found;
}

/** The refunds and disputes of these payments, with as few requests as possible. */
export async function readReversals(api: PaystackApi, transactions: readonly Transaction[]) {
  const paid = transactions.filter(({ status }) => status === 'success');
  if (paid.length === 0) return sumReversals([], []);
  const [refunds, disputes] = await Promise.all([
    listSince(api, '/refund', paid, Refund),
    listSince(api, '/dispute', paid, Dispute),
  ]);
  return sumReversals(refunds, disputes);
}

const toCandidate = (plans: PlanIds, subscription: Subscription): Candidate => ({
  providerSubscription: toProviderSubscription(plans, subscription),
  code: subscription.plan,
  amount: subscription.amount,
  authorization: subscription.authorization?.authorization_code ?? null,
  createdAt: subscription.createdAt,
});

function toPayment(plans: PlanIds, transaction: Transaction, reversals: Reversals): Payment {
  const { plan, metadata, authorization } = transaction;
  const isOwed = metadata?.purpose === 'owed';
  return {
    charge: presentCharge(plans, transaction, reversals),
    code: plan ?? metadata?.plan_code ?? null,
    authorization: authorization?.authorization_code ?? null,
    isOfCheckout: metadata !== null && !isOwed,
    owedBy: isOwed ? (metadata.subscription ?? null) : null,
    isCardCheck: metadata?.purpose === 'card-check',
  };
}

/** A subscription of another product has no plan of ours and none of our payments. */
export async function readCustomer(
  context: PaystackContext,
  customer: Customer,
): Promise<ProviderSubscriptionState[]> {
  const { api, plans, calendar } = context;
  const [subscriptions, transactions] = await Promise.all([
    listSubscriptions(context, customer),
    listTransactions(context, customer),
  ]);
  const reversals = await readReversals(api, transactions);
  return assignCharges(
    subscriptions.map((found) => toCandidate(plans, found)),
    transactions.map((transaction) => toPayment(plans, transaction, reversals)),
    calendar,
  );
}

export async function readSubscription(
  context: PaystackContext,
  subscription: Subscription,
): Promise<ProviderSubscriptionState> {
  const alone = toProviderSubscription(context.plans, subscription);
  if (alone.plan === null) return { providerSubscription: alone, charges: [] };
  const states = await readCustomer(context, subscription.customer);
  const state = states.find(({ providerSubscription }) => providerSubscription.id === alone.id);
  if (!state) throw failure('Paystack’s list is missing a subscription that exists.');
  return state;
}

/** The subscription that a paid checkout started. */
export async function findStarted(
  context: PaystackContext,
  paid: Transaction,
): Promise<string | null> {
  const { plans, calendar } = context;
  const [subscriptions, listed] = await Promise.all([
    listSubscriptions(context, paid.customer),
    listTransactions(context, paid.customer),
  ]);
  const others = listed.filter(({ id }) => id !== paid.id);
  const nothing = sumReversals([], []);
  const owners = findOwners(
    subscriptions.map((found) => toCandidate(plans, found)),
    [paid, ...others].map((transaction) => toPayment(plans, transaction, nothing)),
    calendar,
  );
  return owners.get(paid.reference)?.providerSubscription.id ?? null;
}
