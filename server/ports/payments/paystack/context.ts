import type { PlanIds } from '../../../payments-settings.ts';
import { realCalendar } from '../calendar.ts';
import { isNotFound, type Calendar } from '../payments.ts';
import { toPlan } from '../plan-ids.ts';
import { createPaystackApi, type PaystackApi } from './api.ts';
import { createAnnouncedPayments, type AnnouncedPayments } from './announced-payments.ts';
import { createPlanFinder, type PlanFinder } from './plan-finder.ts';
import { Subscription, Transaction, type Customer } from './shapes.ts';

export type PaystackSettings = { api: string; secretKey: string; plans: PlanIds };

/** What every part of the adapter needs. */
export type PaystackContext = {
  api: PaystackApi;
  plans: PlanIds;
  planFinder: PlanFinder;
  announcedPayments: AnnouncedPayments;
  calendar: Calendar;
  clock: { now: () => number };
  /** Paystack's test mode, where plans may renew every hour. */
  isTest: boolean;
};

export function createContext(
  { api: address, secretKey, plans }: PaystackSettings,
  { clock, timeoutMs }: { clock: { now: () => number }; timeoutMs: number },
): PaystackContext {
  const api = createPaystackApi({ api: address, secretKey, timeoutMs });
  return {
    api,
    plans,
    planFinder: createPlanFinder(api, clock),
    announcedPayments: createAnnouncedPayments(),
    calendar: realCalendar,
    clock,
    isTest: secretKey.startsWith('sk_test_'),
  };
}

export const path = (...parts: string[]) => `/${parts.map(encodeURIComponent).join('/')}`;

/** A payment by its reference, which always names its plan. */
export async function verify(
  { api, planFinder }: PaystackContext,
  reference: string,
): Promise<Transaction> {
  const transaction = await api.get(path('transaction', 'verify', reference), Transaction);
  planFinder.remember(transaction);
  return transaction;
}

export async function findTransaction(
  context: PaystackContext,
  reference: string,
): Promise<Transaction | null> {
  try {
    return await verify(context, reference);
  } catch (error) {
    if (isNotFound(error)) return null;
    throw error;
  }
}

/** The account may carry other products. */
export const isOurs = (
  { plans }: PaystackContext,
  { plan, metadata }: Pick<Transaction, 'plan' | 'metadata'>,
): boolean => metadata !== null || toPlan(plans, plan) !== null;

export const fetchSubscription = ({ api }: PaystackContext, code: string) =>
  api.get(path('subscription', code), Subscription);

/** Only ours. */
export async function listSubscriptions(
  { api, plans, planFinder }: PaystackContext,
  { id: customer }: Customer,
): Promise<Subscription[]> {
  const listed = await api.list('/subscription', { customer }, Subscription);
  const named = await planFinder.nameSubscriptions(listed);
  return named.filter(({ plan }) => toPlan(plans, plan) !== null);
}

/** Only ours: of a plan, or with our metadata. */
export async function listTransactions(
  context: PaystackContext,
  { id: customer, customer_code }: Customer,
): Promise<Transaction[]> {
  const { api, planFinder, announcedPayments } = context;
  const listed = await api.list('/transaction', { customer }, Transaction);
  const all = await planFinder.nameTransactions(listed);
  for (const reference of announcedPayments.listMissing(customer_code, listed)) {
    const announced = await findTransaction(context, reference);
    if (announced) all.unshift(announced);
  }
  return all.filter((transaction) => isOurs(context, transaction));
}
