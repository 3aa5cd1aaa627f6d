import { createHash } from 'node:crypto';
import type { Plan } from '#contract/rules/plans.ts';
import type { LedgerEntry, ProviderSubscriptionRow } from '../queries.ts';
import { findAgreedAmount, isAgreed, readAgreedPrices } from './agreed-prices.ts';

export type Owed = { reference: string; plan: Plan; amount: number };

/**
 * The payment that a late subscription missed. Every request until the bank has decided has the same
 * reference, so that two tabs, or a request after a crash, charge once; a declined payment is recorded
 * and changes it.
 */
export function findOwed(
  current: ProviderSubscriptionRow,
  ledger: readonly LedgerEntry[],
  now: number,
): Owed | null {
  if (current.status !== 'late') return null;
  const { provider_subscription_id: id } = current;
  const failed = ledger.filter(
    (entry) => entry.kind === 'charge-failed' && entry.provider_subscription_id === id,
  );
  const prices = readAgreedPrices(current.agreed_prices);
  const last = failed.at(-1);
  const plan = last?.plan ?? current.next_plan ?? current.plan;
  const charged = last?.amount ?? null;
  const amount =
    charged !== null && isAgreed(prices, { plan, amount: charged }, now)
      ? charged
      : findAgreedAmount(prices, plan);
  if (amount === null) return null;
  const name = `${id}/${current.problem_since}/${failed.length}`;
  const hash = createHash('sha256').update(name).digest('hex');
  return { reference: `wk-owed-${hash.slice(0, 32)}`, plan, amount };
}
