import type { Deps } from '../../deps.ts';
import { findCurrent } from './present-subscription.ts';
import { listAgreementsOf, listLedger, type AgreementRow, type LedgerRow } from './queries.ts';
import { readRefusedPurchase } from './refused-purchase.ts';

type PayBack = { chargeId: string; amount: number; key: string };

/** A payment for a checkout of this member, of something else than was agreed to. */
const isRefusedPurchase = (row: LedgerRow): boolean => readRefusedPurchase(row) !== null;

/** What of a charge is still here; nothing while the bank holds it. */
function planPayBack({ charge_id, amount }: LedgerRow, ledger: readonly LedgerRow[]): PayBack[] {
  const own = ledger.filter((row) => row.charge_id === charge_id);
  const count = (kind: LedgerRow['kind']) => own.filter((row) => row.kind === kind).length;
  const left = (amount ?? 0) - (own.findLast(({ kind }) => kind === 'refund')?.amount ?? 0);
  const isDisputed = count('dispute') > count('dispute-won');
  if (charge_id === null || left <= 0 || isDisputed) return [];
  // One name for one wish: one that failed since is asked for anew.
  return [{ chargeId: charge_id, amount: left, key: `unwind:${charge_id}:${count('refund')}` }];
}

/**
 * What goes back: all that a duplicate charged while the other agreement ran, and what was paid for
 * a checkout and is not what was agreed to.
 */
export function findPayBacks(
  duplicates: readonly AgreementRow[],
  kept: AgreementRow | null,
  ledger: readonly LedgerRow[],
): PayBack[] {
  const ids = new Set(duplicates.map(({ agreement_id }) => agreement_id));
  const isOfDuplicate = ({ agreement_id, at }: LedgerRow) =>
    agreement_id !== null && ids.has(agreement_id) && at >= (kept?.started_at ?? 0);
  return ledger
    .filter(({ kind }) => kind === 'charge' || kind === 'charge-refused')
    .filter((row) => isOfDuplicate(row) || isRefusedPurchase(row))
    .flatMap((row) => planPayBack(row, ledger));
}

/** Nobody is to be charged by these again. */
const findToCancel = (agreements: readonly AgreementRow[]): AgreementRow[] =>
  agreements
    .filter(({ is_duplicate, replaced_by }) => is_duplicate === 1 || replaced_by !== null)
    .filter(({ status }) => status === 'active' || status === 'late');

/**
 * Cancels what was one too many or has been replaced, and pays back what must be. Each call may be
 * repeated; that it worked is written down once the provider says so. One that fails does not keep
 * the others waiting. True when there was something to do.
 */
export async function unwind({ database, payments }: Deps, userId: string): Promise<boolean> {
  const all = await listAgreementsOf(database.db, userId);
  const agreements = all.filter(({ provider }) => provider === payments.name);
  const kept = findCurrent(agreements, payments.name);
  const ledger = (await listLedger(database.db, userId)).filter(
    ({ provider }) => provider === payments.name,
  );
  const duplicates = agreements.filter(({ is_duplicate }) => is_duplicate === 1);
  const calls = [
    ...findToCancel(agreements).map((row) => () => payments.cancelAtPeriodEnd(row.agreement_id)),
    ...findPayBacks(duplicates, kept, ledger).map((payBack) => () => payments.refund(payBack)),
  ];
  const failures: unknown[] = [];
  for (const call of calls) await call().catch((error: unknown) => failures.push(error));
  if (failures.length > 0)
    throw failures.length === 1 ? failures[0] : new AggregateError(failures, 'Not all was undone.');
  return calls.length > 0;
}
