import type { Tx } from '../../../db/connect.ts';
import type { Calendar } from '../../../ports/payments/payments.ts';
import { updatePaymentFigures, type MoneyEntry, type PaidHistory } from '../../rollups/service.ts';
import { findPeriods, monthsOfEntry } from './paid-through.ts';
import type { LedgerEntry } from '../queries.ts';

const isMoney = (kind: LedgerEntry['kind']): kind is MoneyEntry['kind'] =>
  ['charge', 'refund', 'dispute', 'dispute-won'].includes(kind);

/** An `end` entry cuts off the periods before it, but reports still count them up to that time. */
function findPaidPeriods(
  ledger: readonly LedgerEntry[],
  calendar: Calendar,
): PaidHistory['periods'] {
  const ends = ledger.filter(({ kind }) => kind === 'end').map(({ at }) => at);
  const borders = [-Infinity, ...ends.toSorted((a, b) => a - b), Infinity];
  return borders.slice(1).flatMap((end, index) => {
    const start = borders[index] ?? -Infinity;
    const entries = ledger.filter(
      ({ kind, at }) => kind !== 'end' && (isReversal(kind) || (at >= start && at < end)),
    );
    return findPeriods(entries, calendar)
      .filter(({ entry }) => entry.kind === 'charge' && entry.amount)
      .map(({ entry, from, to }) => ({
        from,
        to: Math.max(from, Math.min(to, end)),
        amount: entry.amount ?? 0,
        months: monthsOfEntry(entry),
      }));
  });
}

/** Refunds and disputes count whenever they happened: they decide whether a payment counts at all. */
const isReversal = (kind: LedgerEntry['kind']): boolean => isMoney(kind) && kind !== 'charge';

export const readPaidHistory = (
  userId: string,
  ledger: readonly LedgerEntry[],
  calendar: Calendar,
): PaidHistory => ({
  userId,
  periods: findPaidPeriods(ledger, calendar),
  entries: ledger.flatMap(({ kind, at, provider, charge_id, amount }) =>
    isMoney(kind) ? [{ kind, at, charge: `${provider}/${charge_id}`, amount: amount ?? 0 }] : [],
  ),
});

/** Updates the site's figures after a change of a user's ledger. */
export const countLedgerChange = (
  tx: Tx,
  userId: string,
  { before, after }: { before: readonly LedgerEntry[]; after: readonly LedgerEntry[] },
  { calendar, timeZone }: { calendar: Calendar; timeZone: string },
) =>
  updatePaymentFigures(tx, {
    before: [readPaidHistory(userId, before, calendar)],
    after: [readPaidHistory(userId, after, calendar)],
    timeZone,
  });
