import type { Deps } from '../../../deps.ts';
import { parseRefusedPurchase } from '../ledger/ledger-entries.ts';
import {
  isRenewing,
  listLedgerEntries,
  listProviderSubscriptionsOf,
  type LedgerEntry,
  type ProviderSubscriptionRow,
} from '../queries.ts';
import { findCurrentSubscription } from '../subscription/service.ts';

type PlannedRefund = { chargeId: string; amount: number; key: string };

/** Refunds what is left of a charge; nothing while it is disputed. */
function planRefund(
  { charge_id, amount }: LedgerEntry,
  ledger: readonly LedgerEntry[],
): PlannedRefund[] {
  const own = ledger.filter((entry) => entry.charge_id === charge_id);
  const count = (kind: LedgerEntry['kind']) => own.filter((entry) => entry.kind === kind).length;
  const left = (amount ?? 0) - (own.findLast(({ kind }) => kind === 'refund')?.amount ?? 0);
  const isDisputed = count('dispute') > count('dispute-won');
  if (charge_id === null || left <= 0 || isDisputed) return [];
  // One key per attempt: a refund that failed since then gets a new one.
  return [{ chargeId: charge_id, amount: left, key: `duplicate:${charge_id}:${count('refund')}` }];
}

/**
 * Everything that a duplicate charged while the other subscription was running, and every payment
 * for a checkout that the user did not agree to.
 */
export function planRefunds(
  duplicates: readonly ProviderSubscriptionRow[],
  kept: ProviderSubscriptionRow | null,
  ledger: readonly LedgerEntry[],
): PlannedRefund[] {
  const ids = new Set(duplicates.map((row) => row.provider_subscription_id));
  const isOfDuplicate = ({ provider_subscription_id: id, at }: LedgerEntry) =>
    id !== null && ids.has(id) && at >= (kept?.started_at ?? 0);
  return ledger
    .filter(({ kind }) => kind === 'charge' || kind === 'charge-refused')
    .filter((entry) => isOfDuplicate(entry) || parseRefusedPurchase(entry) !== null)
    .flatMap((entry) => planRefund(entry, ledger));
}

/** Duplicates and replaced subscriptions that would still charge. */
const findToCancel = (rows: readonly ProviderSubscriptionRow[]): ProviderSubscriptionRow[] =>
  rows
    .filter(({ is_duplicate, replaced_by }) => is_duplicate === 1 || replaced_by !== null)
    .filter(isRenewing);

/**
 * Cancels duplicate and replaced subscriptions and refunds what they charged. Each call may be
 * repeated; its result is recorded by the next reconciliation. One failure doesn't stop the other
 * calls. Returns true if there was anything to do.
 */
export async function refundDuplicates(
  { database, payments }: Deps,
  userId: string,
): Promise<boolean> {
  const all = await listProviderSubscriptionsOf(database.db, userId);
  const subscriptions = all.filter(({ provider }) => provider === payments.name);
  const kept = findCurrentSubscription(subscriptions, payments.name);
  const ledger = (await listLedgerEntries(database.db, userId)).filter(
    ({ provider }) => provider === payments.name,
  );
  const duplicates = subscriptions.filter(({ is_duplicate }) => is_duplicate === 1);
  const calls = [
    ...findToCancel(subscriptions).map(
      (row) => () => payments.cancelAtPeriodEnd(row.provider_subscription_id),
    ),
    ...planRefunds(duplicates, kept, ledger).map((refund) => () => payments.refund(refund)),
  ];
  const failures: unknown[] = [];
  for (const call of calls) await call().catch((error: unknown) => failures.push(error));
  if (failures.length > 0)
    throw failures.length === 1
      ? failures[0]
      : new AggregateError(failures, 'Some cancellations or refunds failed.');
  return calls.length > 0;
}
