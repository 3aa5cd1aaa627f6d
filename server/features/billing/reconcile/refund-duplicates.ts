import { DAY } from '#contract/rules/time.ts';
import type { Db } from '../../../db/connect.ts';
import type { Deps } from '../../../deps.ts';
import { listKeptCharges } from '../../payment-issues/service.ts';
import { findDisputeState } from '../ledger/disputes.ts';
import {
  isRefundedAtProvider,
  parseChargeDetail,
  parseRefusedCharge,
} from '../ledger/ledger-entries.ts';
import {
  findCheckout,
  isRenewing,
  listLedgerEntries,
  listProviderSubscriptionsOf,
  type LedgerEntry,
  type ProviderSubscriptionRow,
} from '../queries.ts';
import { refundCharge } from '../refund-charge.ts';
import { findCurrentSubscription } from '../subscription/service.ts';

type PlannedRefund = { chargeId: string; amount: number; key: string };

/** Refunds a charge until only this much of it is kept; nothing while it is disputed, or after. */
function planRefund(
  { charge_id, amount }: LedgerEntry,
  ledger: readonly LedgerEntry[],
  kept = 0,
): PlannedRefund[] {
  const own = ledger.filter((entry) => entry.charge_id === charge_id);
  const refunds = own.filter(({ kind }) => kind === 'refund');
  const left = (amount ?? 0) - (refunds.at(-1)?.amount ?? 0) - kept;
  if (charge_id === null || left <= 0 || findDisputeState(own) !== 'none') return [];
  // One key per attempt: a refund that failed since then gets a new one.
  return [{ chargeId: charge_id, amount: left, key: `duplicate:${charge_id}:${refunds.length}` }];
}

/**
 * Everything that a duplicate charged while the other subscription was running, every payment that
 * the user did not agree to or whose checkout was refused, and what was charged above an agreed price.
 */
export function planRefunds(
  duplicates: readonly ProviderSubscriptionRow[],
  kept: ProviderSubscriptionRow | null,
  ledger: readonly LedgerEntry[],
  refusedReferences: ReadonlySet<string> = new Set(),
): PlannedRefund[] {
  const ids = new Set(duplicates.map((row) => row.provider_subscription_id));
  const references = new Set(duplicates.flatMap(({ reference }) => reference ?? []));
  const isUnwanted = (entry: LedgerEntry) => {
    const { provider_subscription_id: id, at } = entry;
    const { reference = '' } = parseChargeDetail(entry);
    // A payment may be older than its subscription: then it names only the checkout.
    const isOfDuplicate = id === null ? references.has(reference) : ids.has(id);
    if (isOfDuplicate && at >= (kept?.started_at ?? 0)) return true;
    return parseRefusedCharge(entry) !== null || refusedReferences.has(reference);
  };
  return ledger
    .filter(({ kind }) => kind === 'charge' || kind === 'charge-refused')
    .flatMap((entry) => {
      if (isUnwanted(entry)) return planRefund(entry, ledger);
      const { agreed } = parseChargeDetail(entry);
      return agreed === undefined ? [] : planRefund(entry, ledger, agreed);
    });
}

/** Two subscriptions that charge for the same period do so within this time. */
const SAME_PERIOD_MS = DAY;

/** What a replaced subscription charged although the new one had taken over. */
function planReplacedRefunds(
  rows: readonly ProviderSubscriptionRow[],
  ledger: readonly LedgerEntry[],
): PlannedRefund[] {
  const listCharges = (id: string | null) =>
    ledger.filter(
      (entry) => entry.kind === 'charge' && id !== null && entry.provider_subscription_id === id,
    );
  return rows.flatMap(({ provider_subscription_id, replaced_by }) => {
    const takenOverAt = Math.min(...listCharges(replaced_by).map(({ at }) => at));
    return listCharges(provider_subscription_id)
      .filter(({ at }) => at >= takenOverAt - SAME_PERIOD_MS)
      .flatMap((entry) => planRefund(entry, ledger));
  });
}

/** The subscriptions that a payment was for; it may be older than its subscription. */
function listPaidSubscriptions(
  { provider_subscription_id, charge_id }: LedgerEntry,
  ledger: readonly LedgerEntry[],
  rows: readonly ProviderSubscriptionRow[],
): Set<string | null> {
  const charge = ledger.find((entry) => entry.kind === 'charge' && entry.charge_id === charge_id);
  const { reference } = charge ? parseChargeDetail(charge) : {};
  const named = rows.filter((row) => reference !== undefined && row.reference === reference);
  return new Set([provider_subscription_id, ...named.map((row) => row.provider_subscription_id)]);
}

/**
 * After a lost dispute or a full refund at the provider nothing renews until the user subscribes or
 * resumes again, unless an administrator chose to keep the subscription.
 */
function isEndedByReversal(
  rows: readonly ProviderSubscriptionRow[],
  ledger: readonly LedgerEntry[],
  keptCharges: ReadonlySet<string>,
): boolean {
  const last = ledger.findLast(
    (entry) =>
      (entry.kind === 'dispute-lost' || isRefundedAtProvider(entry)) &&
      !keptCharges.has(entry.charge_id ?? ''),
  );
  if (!last) return false;
  const paid = listPaidSubscriptions(last, ledger, rows);
  // The subscription may be recorded after the payment that went back.
  return !ledger.some(
    ({ kind, seq, provider_subscription_id: id }) =>
      seq > last.seq &&
      (['cancelled', 'ended', 'resumed'].includes(kind) ||
        (kind === 'subscribed' && !paid.has(id))),
  );
}

/** Duplicates, replaced subscriptions and those whose payment went back, while they would still charge. */
export const findToCancel = (
  rows: readonly ProviderSubscriptionRow[],
  ledger: readonly LedgerEntry[],
  keptCharges: ReadonlySet<string> = new Set(),
): ProviderSubscriptionRow[] => {
  const isEnded = isEndedByReversal(rows, ledger, keptCharges);
  return rows
    .filter(
      ({ is_duplicate, replaced_by }) => isEnded || is_duplicate === 1 || replaced_by !== null,
    )
    .filter(isRenewing);
};

/** The checkouts that were refused after their payment had been recorded. */
async function listRefusedReferences(db: Db, ledger: readonly LedgerEntry[]): Promise<Set<string>> {
  const refused = new Set<string>();
  for (const entry of ledger) {
    const { reference } = parseChargeDetail(entry);
    if (reference === undefined) continue;
    if ((await findCheckout(db, reference))?.state === 'refused') refused.add(reference);
  }
  return refused;
}

/**
 * Cancels what must not renew and refunds what must not be kept. Each call may be repeated; its
 * result is recorded by the next reconciliation. One failure doesn't stop the other calls. Returns
 * true if there was anything to do.
 */
export async function refundDuplicates(deps: Deps, userId: string): Promise<boolean> {
  const { database, payments } = deps;
  const { db } = database;
  const all = await listProviderSubscriptionsOf(db, userId);
  const subscriptions = all.filter(({ provider }) => provider === payments.name);
  const kept = findCurrentSubscription(subscriptions, payments.name);
  const ledger = (await listLedgerEntries(db, userId)).filter(
    ({ provider }) => provider === payments.name,
  );
  const duplicates = subscriptions.filter(({ is_duplicate }) => is_duplicate === 1);
  const refused = await listRefusedReferences(db, ledger);
  const keptCharges = await listKeptCharges(db, userId);
  const refunds = [
    ...planRefunds(duplicates, kept, ledger, refused),
    ...planReplacedRefunds(subscriptions, ledger),
  ];
  const calls = [
    ...findToCancel(subscriptions, ledger, keptCharges).map(
      ({ status, provider_subscription_id: id }) =>
        () =>
          // What a late subscription still owes must not be collected either.
          status === 'late' ? payments.endNow(id) : payments.cancelAtPeriodEnd(id),
    ),
    ...refunds.map((refund) => () => refundCharge(deps, refund)),
  ];
  const failures: unknown[] = [];
  for (const call of calls) await call().catch((error: unknown) => failures.push(error));
  if (failures.length > 0)
    throw failures.length === 1
      ? failures[0]
      : new AggregateError(failures, 'Some cancellations or refunds failed.');
  return calls.length > 0;
}
