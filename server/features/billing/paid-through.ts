import type { Plan } from '#contract/rules/plans.ts';
import type { LedgerTable } from '../../db/billing-tables.ts';

const DAY = 24 * 60 * 60 * 1000;

/** A renewal this much after the end goes on from the end, as the provider's own calendar does. */
const LATE_MS = 3 * DAY;

export type Fact = Pick<
  LedgerTable,
  | 'kind'
  | 'at'
  | 'provider'
  | 'charge_id'
  | 'agreement_id'
  | 'plan'
  | 'amount'
  | 'days'
  | 'months'
  | 'until'
>;

/** What one fact pays for. */
export type Period<F extends Fact = Fact> = { fact: F; from: number; to: number };

export const monthsOf = (plan: Plan): number => (plan === 'annual' ? 12 : 1);

/** The same day so many months later, or the last one that month has. */
export function addMonths(time: number, months: number): number {
  const date = new Date(time);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + months);
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(day, last));
  return date.getTime();
}

const keyOf = (fact: Fact): string => `${fact.provider}/${fact.charge_id}`;

/** Charges whose money went back in full, or is held by the bank: they pay for nothing. */
function findWithdrawn(facts: readonly Fact[]): Set<string> {
  const refunded = new Map<string, number>();
  const disputes = new Map<string, number>();
  for (const fact of facts) {
    const key = keyOf(fact);
    if (fact.kind === 'refund')
      refunded.set(key, Math.max(refunded.get(key) ?? 0, fact.amount ?? 0));
    if (fact.kind === 'dispute') disputes.set(key, (disputes.get(key) ?? 0) + 1);
    if (fact.kind === 'dispute-won') disputes.set(key, (disputes.get(key) ?? 0) - 1);
  }
  const isWithdrawn = (fact: Fact) =>
    (refunded.get(keyOf(fact)) ?? 0) >= Math.max(1, fact.amount ?? 0) ||
    (disputes.get(keyOf(fact)) ?? 0) > 0;
  return new Set(
    facts.filter((fact) => fact.kind === 'charge' && isWithdrawn(fact)).map((fact) => keyOf(fact)),
  );
}

/** At the same moment an end comes first: whatever is given then is meant to count. */
const ranks: Partial<Record<Fact['kind'], number>> = {
  end: 0,
  charge: 1,
  trial: 2,
  coupon: 3,
  gift: 4,
  grant: 5,
};

const compareTexts = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

/** An order that the facts have by themselves, however they arrived. */
function compareFacts(a: Fact, b: Fact): number {
  return (
    a.at - b.at ||
    (ranks[a.kind] ?? 0) - (ranks[b.kind] ?? 0) ||
    compareTexts(a.charge_id ?? '', b.charge_id ?? '') ||
    (a.until ?? 0) - (b.until ?? 0)
  );
}

/** Payments of one agreement without a gap: all are counted from its first day, so that the 31st stays. */
type Chain = { agreementId: string | null; start: number; months: number; end: number };

function continueChain(chain: Chain | null, end: number | null, fact: Fact): Chain | null {
  if (!chain || chain.agreementId === null || chain.agreementId !== fact.agreement_id) return null;
  return chain.end === end && fact.at <= chain.end + LATE_MS ? chain : null;
}

/**
 * What was paid for, from the set of facts alone: in the order in which they happened, each one
 * counts from the end of the one before, or from its own time where there is a gap.
 */
export function findPeriods<F extends Fact>(facts: readonly F[]): Period<F>[] {
  const withdrawn = findWithdrawn(facts);
  const counted = facts
    .filter((fact) => fact.kind in ranks && !(fact.kind === 'charge' && withdrawn.has(keyOf(fact))))
    .toSorted(compareFacts);
  let periods: Period<F>[] = [];
  let end: number | null = null;
  let chain: Chain | null = null;
  for (const fact of counted) {
    if (fact.kind === 'end') {
      periods = [];
      end = null;
      chain = null;
      continue;
    }
    const from: number = Math.max(end ?? fact.at, fact.at);
    let period: Period<F>;
    if (fact.kind === 'charge') {
      const months = monthsOf(fact.plan ?? 'monthly');
      const known = continueChain(chain, end, fact);
      const start: Chain = known ?? {
        agreementId: fact.agreement_id,
        start: from,
        months: 0,
        end: from,
      };
      const to = addMonths(start.start, start.months + months);
      chain = { ...start, months: start.months + months, end: to };
      period = { fact, from: known ? known.end : from, to };
    } else if (fact.kind === 'grant') {
      period = { fact, from: fact.at, to: Math.max(end ?? 0, fact.until ?? fact.at) };
    } else {
      period = { fact, from, to: addMonths(from, fact.months ?? 0) + (fact.days ?? 0) * DAY };
    }
    periods.push(period);
    end = period.to;
  }
  return periods;
}

/** The end of what was paid for; null when nothing counts. */
export const findPaidThrough = (facts: readonly Fact[]): number | null =>
  findPeriods(facts).at(-1)?.to ?? null;
