import type { Deps } from '../../deps.ts';
import { findCurrent } from './present-subscription.ts';
import { listAgreementsOf, listLedger, type AgreementRow, type LedgerRow } from './queries.ts';

type PayBack = { chargeId: string; amount: number };

/** What a duplicate charged while the other agreement ran, as far as it is not paid back yet. */
export function findPayBacks(
  duplicate: AgreementRow,
  kept: AgreementRow,
  ledger: readonly LedgerRow[],
): PayBack[] {
  const isPaidBack = (id: string | null, amount: number | null) =>
    ledger.some(
      (row) => row.kind === 'refund' && row.charge_id === id && (row.amount ?? 0) >= (amount ?? 0),
    );
  return ledger
    .filter(({ kind }) => kind === 'charge' || kind === 'charge-refused')
    .filter(({ agreement_id }) => agreement_id === duplicate.agreement_id)
    .filter(({ at }) => at >= kept.started_at)
    .filter(({ charge_id, amount }) => !isPaidBack(charge_id, amount))
    .flatMap(({ charge_id: chargeId, amount }) =>
      chargeId === null || amount === null ? [] : [{ chargeId, amount }],
    );
}

/**
 * Cancels what was one too many and pays back what it took. Each call may be repeated; that it
 * worked is written down once the provider says so. True when there was something to do.
 */
export async function unwindDuplicates(
  { database, payments }: Deps,
  userId: string,
): Promise<boolean> {
  const agreements = await listAgreementsOf(database.db, userId);
  const kept = findCurrent(agreements);
  if (!kept) return false;
  const ledger = await listLedger(database.db, userId);
  let isDone = false;
  for (const row of agreements) {
    if (row.is_duplicate === 0 || row.provider !== payments.name) continue;
    if (row.status === 'active' || row.status === 'late') {
      await payments.cancelAtPeriodEnd(row.agreement_id);
      isDone = true;
    }
    for (const { chargeId, amount } of findPayBacks(row, kept, ledger)) {
      await payments.refund({ chargeId, amount, key: `duplicate:${chargeId}` });
      isDone = true;
    }
  }
  return isDone;
}
