import { monthsOf } from '#contract/rules/plans.ts';
import type { LedgerEntriesTable } from '../../../db/types/billing-tables.ts';
import type { Calendar } from '../../../ports/payments/payments.ts';

/** A renewal may pay for this much less than its period: after that, whole months are skipped. */
const LATE_DAYS = 10;

export type AccessEntry = Pick<
  LedgerEntriesTable,
  | 'kind'
  | 'at'
  | 'provider'
  | 'charge_id'
  | 'subscription_id'
  | 'plan'
  | 'amount'
  | 'days'
  | 'months'
  | 'until'
> & {
  /** The number in the ledger; entries without one count in the given order. */
  seq?: number;
};

/** The time that one entry pays for. */
export type Period<E extends AccessEntry = AccessEntry> = { entry: E; from: number; to: number };

/** Test cards gave this access. */
const isTest = ({ provider }: AccessEntry): boolean => provider === 'sandbox';

const keyOf = (entry: AccessEntry): string => `${entry.provider}/${entry.charge_id}`;

/** Charges that were fully refunded or are disputed: they pay for nothing. */
function findWithdrawn(entries: readonly AccessEntry[]): Set<string> {
  const refunded = new Map<string, number>();
  const disputes = new Map<string, number>();
  // The last entry about a charge wins: a refund may fail after it was reported.
  for (const entry of entries.toSorted((a, b) => (a.seq ?? 0) - (b.seq ?? 0))) {
    const key = keyOf(entry);
    if (entry.kind === 'refund') refunded.set(key, entry.amount ?? 0);
    if (entry.kind === 'dispute') disputes.set(key, (disputes.get(key) ?? 0) + 1);
    if (entry.kind === 'dispute-won') disputes.set(key, (disputes.get(key) ?? 0) - 1);
  }
  const isWithdrawn = (entry: AccessEntry) =>
    (refunded.get(keyOf(entry)) ?? 0) >= Math.max(1, entry.amount ?? 0) ||
    (disputes.get(keyOf(entry)) ?? 0) > 0;
  return new Set(
    entries
      .filter((entry) => entry.kind === 'charge' && isWithdrawn(entry))
      .map((entry) => keyOf(entry)),
  );
}

/** At the same time an `end` comes first, so that access granted then still counts. */
const ranks: Partial<Record<AccessEntry['kind'], number>> = {
  end: 0,
  charge: 1,
  trial: 2,
  coupon: 3,
  gift: 4,
  grant: 5,
  subscribed: 6,
};

const compareTexts = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

/** An order that does not depend on when the entries arrived. */
function compareEntries(a: AccessEntry, b: AccessEntry): number {
  return (
    a.at - b.at ||
    (ranks[a.kind] ?? 0) - (ranks[b.kind] ?? 0) ||
    compareTexts(a.charge_id ?? '', b.charge_id ?? '') ||
    (a.until ?? 0) - (b.until ?? 0)
  );
}

/**
 * The paid time of one subscription. Its periods end whole months after one day, so that the 31st
 * stays the 31st, and a payment a few days late doesn't move the day.
 */
type Chain = { subscriptionId: string | null; start: number; months: number };

const endOf = ({ start, months }: Chain, calendar: Calendar): number =>
  calendar.addMonths(start, months);

/**
 * After an outage nobody pays for time that has gone: whole months are left out, and the day stays. It
 * stays the recorded day too when a refund of an earlier payment moves the months before it.
 */
function addPayment(
  chain: Chain,
  { at, until }: AccessEntry,
  months: number,
  calendar: Calendar,
): Chain {
  const least = calendar.addDays(calendar.addMonths(at, months), -LATE_DAYS);
  let next = { ...chain, months: chain.months + months };
  if (endOf(next, calendar) >= least) return next;
  while (endOf(next, calendar) < least) next = { ...next, months: next.months + 1 };
  return until !== null && until < endOf(next, calendar)
    ? { ...chain, start: until, months: 0 }
    : next;
}

export const monthsOfEntry = ({ plan, months }: Pick<AccessEntry, 'plan' | 'months'>): number =>
  months ?? monthsOf(plan ?? 'monthly');

function measure(
  entry: AccessEntry,
  end: number | null,
  calendar: Calendar,
): { from: number; to: number } {
  if (entry.kind === 'grant')
    return {
      from: entry.at,
      to: Math.max(end ?? entry.until ?? entry.at, entry.until ?? entry.at),
    };
  const from = Math.max(end ?? entry.at, entry.at);
  return {
    from,
    to: calendar.addDays(calendar.addMonths(from, entry.months ?? 0), entry.days ?? 0),
  };
}

/**
 * The paid periods, computed from the ledger entries alone. In the order in which they happened, each
 * entry counts from the end of the one before, or from its own time when there is a gap; the payments
 * of a subscription continue its periods.
 */
export function findPeriods<E extends AccessEntry>(
  all: readonly E[],
  calendar: Calendar,
): Period<E>[] {
  const entries = calendar.countsTestPayments ? all : all.filter((entry) => !isTest(entry));
  const withdrawn = findWithdrawn(entries);
  const counted = entries
    .filter(
      (entry) => entry.kind in ranks && !(entry.kind === 'charge' && withdrawn.has(keyOf(entry))),
    )
    .toSorted(compareEntries);
  let periods: Period<E>[] = [];
  let end: number | null = null;
  let chain = null as Chain | null;
  for (const entry of counted) {
    if (entry.kind === 'end') {
      [periods, end, chain] = [[], null, null];
      continue;
    }
    const { subscription_id: id } = entry;
    if (entry.kind === 'subscribed') {
      // Bought during paid time: its first payment continues that time, also when it is charged late.
      if (end !== null && end > entry.at && id !== null && chain?.subscriptionId !== id)
        chain = { subscriptionId: id, start: end, months: 0 };
      continue;
    }
    const isRenewal = entry.kind === 'charge' && id !== null && chain?.subscriptionId === id;
    if (isRenewal && chain && end !== null) {
      const before = end;
      chain = addPayment(chain, entry, monthsOfEntry(entry), calendar);
      const to = endOf(chain, calendar);
      const isSoon = entry.at <= calendar.addDays(before, LATE_DAYS);
      periods.push({ entry, from: isSoon ? before : entry.at, to });
      end = to;
      continue;
    }
    const months = entry.kind === 'charge' ? monthsOfEntry(entry) : entry.months;
    const { from, to } = measure({ ...entry, months }, end, calendar);
    // Without the payments before it, a late one still ends on its own day.
    const isOwnDay = entry.kind === 'charge' && from === entry.at && (entry.until ?? to) < to;
    end = isOwnDay ? (entry.until ?? to) : to;
    periods.push({ entry, from, to: end });
    // A payment starts a chain; other time moves the one there is.
    chain =
      entry.kind === 'charge' && id !== null && !isOwnDay
        ? { subscriptionId: id, start: from, months: months ?? 0 }
        : { subscriptionId: id ?? chain?.subscriptionId ?? null, start: end, months: 0 };
  }
  return periods;
}

/**
 * The last moment with access so far: the paid time and its days of grace were over, or an entry took
 * them away. Null if there never was any.
 */
export function findAccessEnd(
  ledger: readonly (AccessEntry & { recorded_at: number })[],
  { calendar, graceMs }: { calendar: Calendar; graceMs: number },
): number | null {
  let end: number | null = null;
  for (const [index, entry] of ledger.entries()) {
    const paidThrough = findPeriods(ledger.slice(0, index + 1), calendar).at(-1)?.to;
    if (paidThrough === undefined) continue;
    const lasted = Math.min(paidThrough + graceMs, ledger[index + 1]?.recorded_at ?? Infinity);
    if (lasted > entry.recorded_at) end = Math.max(end ?? 0, lasted);
  }
  return end;
}
