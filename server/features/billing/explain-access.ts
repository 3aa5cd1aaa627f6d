import type { AccessReport } from '#contract/billing-admin.ts';
import { hasAccess } from '#contract/rules/access.ts';
import type { Calendar } from '../../ports/payments/payments.ts';
import { formatDay } from './format-amount.ts';
import { findPeriods, type Period } from './paid-through.ts';
import type { LedgerRow } from './queries.ts';

type Moment = { at: number; graceMs: number; calendar: Calendar; timeZone: string };

/** The last word on why there is nothing, where there is one. */
const findLoss = (ledger: readonly LedgerRow[]): LedgerRow | undefined =>
  ledger.findLast(({ kind }) => kind === 'refund' || kind === 'dispute' || kind === 'end');

function explain(
  ledger: readonly LedgerRow[],
  periods: readonly Period<LedgerRow>[],
  { at, graceMs, timeZone }: Moment,
): string {
  const day = (time: number) => formatDay(time, timeZone);
  const last = periods.at(-1);
  const covering = periods.find(({ from, to }) => from <= at && at < to);
  if (covering)
    return `${covering.fact.because} It reaches from ${day(covering.from)} to ${day(covering.to)}.`;
  if (last && at < last.to) return `${last.fact.because} It reaches to ${day(last.to)}.`;
  if (last && hasAccess(last.to, at, graceMs))
    return `What was paid for ended on ${day(last.to)}; access goes on to ${day(last.to + graceMs)} in case a payment is late.`;
  const loss = findLoss(ledger);
  if (loss) return loss.because;
  if (last) return `What was paid for ended on ${day(last.to)}, and the days of grace are over.`;
  const refused = ledger.findLast(({ kind }) => kind === 'charge-refused');
  return refused ? `${refused.because} It gives no access.` : 'Nothing was ever paid for or given.';
}

/** Whether access was on at a minute, from what the site knew by then: the rule of today over the events of that day. */
export function explainAccess(all: readonly LedgerRow[], moment: Moment): AccessReport {
  const { at, graceMs, calendar } = moment;
  const ledger = all.filter(({ recorded_at }) => recorded_at <= at);
  const periods = findPeriods(ledger, calendar);
  const paidThrough = periods.at(-1)?.to ?? null;
  return {
    at,
    hasAccess: hasAccess(paidThrough, at, graceMs),
    because: explain(ledger, periods, moment),
    paidThrough,
    accessUntil: paidThrough === null ? null : paidThrough + graceMs,
    events: ledger.map((row) => ({
      seq: row.seq,
      kind: row.kind,
      at: row.at,
      recordedAt: row.recorded_at,
      plan: row.plan,
      amount: row.amount,
      currency: row.currency,
      chargeId: row.charge_id,
      because: row.because,
      actor: row.actor,
    })),
  };
}
