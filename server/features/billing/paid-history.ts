import type { Tx } from '../../db/connect.ts';
import type { Deps } from '../../deps.ts';
import type { Calendar } from '../../ports/payments/payments.ts';
import { notePayments, replaceRows, type MoneyFact, type PaidHistory } from '../rollups/service.ts';
import { findPeriods, monthsOf } from './paid-through.ts';
import { listLedger, type LedgerRow } from './queries.ts';

const isMoney = (kind: LedgerRow['kind']): kind is MoneyFact['kind'] =>
  ['charge', 'refund', 'dispute', 'dispute-won'].includes(kind);

/** What somebody was given counts until access was ended; for the books of that time it was so. */
function findPaidPeriods(ledger: readonly LedgerRow[], calendar: Calendar): PaidHistory['periods'] {
  const ends = ledger.filter(({ kind }) => kind === 'end').map(({ at }) => at);
  const borders = [-Infinity, ...ends.toSorted((a, b) => a - b), Infinity];
  return borders.slice(1).flatMap((end, index) => {
    const start = borders[index] ?? -Infinity;
    const facts = ledger.filter(
      ({ kind, at }) => kind !== 'end' && (isBackFact(kind) || (at >= start && at < end)),
    );
    return findPeriods(facts, calendar)
      .filter(({ fact }) => fact.kind === 'charge' && fact.amount)
      .map(({ fact, from, to }) => ({
        from,
        to: Math.max(from, Math.min(to, end)),
        amount: fact.amount ?? 0,
        months: monthsOf(fact.plan ?? 'monthly'),
      }));
  });
}

/** Whenever it happened: what a payment is worth depends on it. */
const isBackFact = (kind: LedgerRow['kind']): boolean => isMoney(kind) && kind !== 'charge';

const readPaidHistory = (
  userId: string,
  ledger: readonly LedgerRow[],
  calendar: Calendar,
): PaidHistory => ({
  userId,
  periods: findPaidPeriods(ledger, calendar),
  money: ledger.flatMap(({ kind, at, provider, charge_id, amount }) =>
    isMoney(kind) ? [{ kind, at, charge: `${provider}/${charge_id}`, amount: amount ?? 0 }] : [],
  ),
});

type Place = { calendar: Calendar; timeZone: string };

/** The numbers of the site follow a member's ledger. */
export const noteLedger = (
  tx: Tx,
  userId: string,
  { before, after }: { before: readonly LedgerRow[]; after: readonly LedgerRow[] },
  { calendar, timeZone }: Place,
) =>
  notePayments(tx, {
    before: [readPaidHistory(userId, before, calendar)],
    after: [readPaidHistory(userId, after, calendar)],
    timeZone,
  });

/** The same for ledgers of which nothing was counted before. */
export const noteNewLedgers = (
  tx: Tx,
  ledgers: readonly (readonly LedgerRow[])[],
  { calendar, timeZone }: Place,
) =>
  notePayments(tx, {
    before: [],
    after: ledgers.flatMap((ledger) => {
      const [first] = ledger;
      return first ? [readPaidHistory(first.user_id, ledger, calendar)] : [];
    }),
    timeZone,
  });

/** Somebody who leaves stops paying now; what they paid until now stays in the numbers. */
export async function stopPaying(
  tx: Tx,
  { clock, config, payments }: Pick<Deps, 'clock' | 'config' | 'payments'>,
  userId: string,
) {
  const now = clock.now();
  const before = readPaidHistory(userId, await listLedger(tx, userId), payments.calendar);
  const periods = before.periods
    .filter(({ from }) => from < now)
    .map((period) => ({ ...period, to: Math.min(period.to, now) }));
  const { timeZone } = config;
  await notePayments(tx, { before: [before], after: [{ ...before, periods }], timeZone });
}

/** Who pays when, and what went back, written down for a ledger that is older than the rows which say so. */
export async function noteRows(tx: Tx, userId: string, { calendar, timeZone }: Place) {
  const history = readPaidHistory(userId, await listLedger(tx, userId), calendar);
  await replaceRows(tx, history, timeZone);
}
