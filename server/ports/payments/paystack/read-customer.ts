import type { z } from 'zod';
import type { PlanIds } from '../../../payments-settings.ts';
import type { ProviderSubscriptionState, Calendar } from '../payments.ts';
import { TooLong, type PaystackApi } from './api.ts';
import { assignCharges, findOwners, type Candidate, type Payment } from './assign-charges.ts';
import { toProviderSubscription, presentCharge, sumReversals, type Reversals } from './present.ts';
import { Dispute, Refund, Transaction, type Subscription } from './shapes.ts';
import { createSubscription, listSubscriptions } from './subscriptions.ts';

type Reader = { api: PaystackApi; plans: PlanIds; calendar: Calendar };

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
  const { plan, metadata, authorization, created_at } = transaction;
  return {
    charge: presentCharge(plans, transaction, reversals),
    code: plan ?? metadata?.plan_code ?? null,
    authorization: authorization?.authorization_code ?? null,
    checkoutStartedAt: metadata ? created_at : null,
    isCardCheck: metadata?.purpose === 'card-check',
  };
}

async function listAll({ api, plans }: Reader, customer: number) {
  const [subscriptions, transactions] = await Promise.all([
    listSubscriptions(api, customer),
    api.list('/transaction', { customer }, Transaction),
  ]);
  const ours = transactions.filter(({ plan, metadata }) => (plan ?? metadata) !== null);
  return { candidates: subscriptions.map((found) => toCandidate(plans, found)), ours };
}

export async function readCustomer(
  reader: Reader,
  customer: number,
): Promise<ProviderSubscriptionState[]> {
  const { candidates, ours } = await listAll(reader, customer);
  const reversals = await readReversals(reader.api, ours);
  const payments = ours.map((transaction) => toPayment(reader.plans, transaction, reversals));
  return assignCharges(candidates, payments, reader.calendar);
}

/** The subscription that a paid checkout started; created here if Paystack doesn't create it. */
export async function findOrCreate(
  reader: Reader,
  { metadata, customer, authorization, reference }: Transaction,
): Promise<string | null> {
  if (!metadata) return null;
  const { api, plans, calendar } = reader;
  const find = async () => {
    const { candidates, ours } = await listAll(reader, customer.id);
    const nothing = sumReversals([], []);
    const payments = ours.map((transaction) => toPayment(plans, transaction, nothing));
    return (
      findOwners(candidates, payments, calendar).get(reference)?.providerSubscription.id ?? null
    );
  };
  const found = await find();
  if (found !== null || metadata.purpose === 'subscription') return found;
  const request = {
    customer: customer.customer_code,
    plan: metadata.plan_code,
    authorization: authorization?.authorization_code ?? undefined,
    startsAt: metadata.starts_at,
  };
  return createSubscription(api, request, find);
}
