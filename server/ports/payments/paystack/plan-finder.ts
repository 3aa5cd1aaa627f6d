import type { z } from 'zod';
import { DAY } from '#contract/rules/time.ts';
import { isNotFound } from '../payments.ts';
import type { PaystackApi } from './api.ts';
import { Subscription, Transaction } from './shapes.ts';

/** How many answers are kept: a few megabytes. */
const MAX_KNOWN = 50_000;
const AT_ONCE = 5;

/**
 * Finds the plans that Paystack leaves out of its lists, by fetching the entries one by one. A plan
 * never changes, so each entry is fetched once.
 */
export type PlanFinder = {
  nameTransactions: (listed: readonly Transaction[]) => Promise<Transaction[]>;
  nameSubscriptions: (listed: readonly Subscription[]) => Promise<Subscription[]>;
  /** A payment that was fetched for another reason. */
  remember: (transaction: Transaction) => void;
};

type Named = { plan: string | null };

const pathOf = ({ id }: Transaction) => `/transaction/${id}`;

async function nameAll<T>(listed: readonly T[], name: (item: T) => Promise<T>): Promise<T[]> {
  const named: T[] = [];
  for (let start = 0; start < listed.length; start += AT_ONCE)
    named.push(...(await Promise.all(listed.slice(start, start + AT_ONCE).map(name))));
  return named;
}

export function createPlanFinder(
  api: PaystackApi,
  clock: { now: () => number },
  maxKnown = MAX_KNOWN,
): PlanFinder {
  const known = new Map<string, string | null>();

  function keep(path: string, { plan }: Named, createdAt: number) {
    // What was just made may still get its plan.
    if (plan === null && createdAt > clock.now() - DAY) return;
    const [oldest] = known.keys();
    if (known.size >= maxKnown && oldest !== undefined) known.delete(oldest);
    known.set(path, plan);
  }

  async function findPlan(
    path: string,
    schema: z.ZodType<Named>,
    createdAt: number,
  ): Promise<string | null> {
    const earlier = known.get(path);
    if (earlier !== undefined) return earlier;
    try {
      const fetched = await api.get(path, schema);
      keep(path, fetched, createdAt);
      return fetched.plan;
    } catch (error) {
      // Listed, but not there: it is asked for again the next time.
      if (isNotFound(error)) return null;
      throw error;
    }
  }

  return {
    nameTransactions: (listed) =>
      nameAll(listed, async (transaction) => {
        const { plan, metadata, status, created_at } = transaction;
        // An abandoned page without our metadata is another product's.
        if (plan !== null || metadata !== null || status === 'abandoned') return transaction;
        const found = await findPlan(pathOf(transaction), Transaction, created_at);
        return { ...transaction, plan: found };
      }),
    nameSubscriptions: (listed) =>
      nameAll(listed, async (subscription) => {
        if (subscription.plan !== null) return subscription;
        const path = `/subscription/${encodeURIComponent(subscription.subscription_code)}`;
        return {
          ...subscription,
          plan: await findPlan(path, Subscription, subscription.createdAt),
        };
      }),
    remember: (transaction) => keep(pathOf(transaction), transaction, transaction.created_at),
  };
}
