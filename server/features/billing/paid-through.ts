import type { Plan } from '#contract/rules/plans.ts';
import type { LedgerTable } from '../../db/billing-tables.ts';
import type { Calendar } from '../../ports/payments/payments.ts';

/** A renewal that is charged within half a day of the end belongs to the chain that ended. */
const LATE_DAYS = 0.5;

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
> & {
  /** The place in the ledger; facts without one count in the order they are given. */
  seq?: number;
};

/** What one fact pays for. */
export type Period<F extends Fact = Fact> = { fact: F; from: number; to: number };

export const monthsOf = (plan: Plan): number => (plan === 'annual' ? 12 : 1);

const keyOf = (fact: Fact): string => `${fact.provider}/${fact.charge_id}`;

/** Charges whose money went back in full, or is held by the bank: they pay for nothing. */
function findWithdrawn(facts: readonly Fact[]): Set<string> {
  const refunded = new Map<string, number>();
  const disputes = new Map<string, number>();
  // What was written last about a charge holds: a refund may fail after it was said to be made.
  for (const fact of facts.toSorted((a, b) => (a.seq ?? 0) - (b.seq ?? 0))) {
    const key = keyOf(fact);
    if (fact.kind === 'refund') refunded.set(key, fact.amount ?? 0);
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

function continueChain(
  chain: Chain | null,
  end: number | null,
  fact: Fact,
  calendar: Calendar,
): Chain | null {
  if (!chain || chain.agreementId === null || chain.agreementId !== fact.agreement_id) return null;
  const isInTime = fact.at <= calendar.addDays(chain.end, LATE_DAYS);
  return chain.end === end && isInTime ? chain : null;
}

/** From where a fact counts, and to where. */
function measure(fact: Fact, end: number | null, calendar: Calendar): { from: number; to: number } {
  if (fact.kind === 'grant')
    return { from: fact.at, to: Math.max(end ?? fact.until ?? fact.at, fact.until ?? fact.at) };
  const from = Math.max(end ?? fact.at, fact.at);
  return { from, to: calendar.addDays(calendar.addMonths(from, fact.months ?? 0), fact.days ?? 0) };
}

/**
 * What was paid for, from the set of facts alone: in the order in which they happened, each one
 * counts from the end of the one before, or from its own time where there is a gap.
 */
export function findPeriods<F extends Fact>(facts: readonly F[], calendar: Calendar): Period<F>[] {
  const withdrawn = findWithdrawn(facts);
  const counted = facts
    .filter((fact) => fact.kind in ranks && !(fact.kind === 'charge' && withdrawn.has(keyOf(fact))))
    .toSorted(compareFacts);
  let periods: Period<F>[] = [];
  let end: number | null = null;
  let chain: Chain | null = null;
  for (const fact of counted) {
    if (fact.kind === 'end') {
      [periods, end, chain] = [[], null, null];
      continue;
    }
    const { from, ...measured } = measure(fact, end, calendar);
    let { to } = measured;
    if (fact.kind === 'charge') {
      const known = continueChain(chain, end, fact, calendar);
      const begun = known ?? { agreementId: fact.agreement_id, start: from, months: 0, end: from };
      const months: number = begun.months + monthsOf(fact.plan ?? 'monthly');
      const own = calendar.addMonths(from, monthsOf(fact.plan ?? 'monthly'));
      to = Math.max(own, calendar.addMonths(begun.start, months));
      chain = { ...begun, months, end: to };
    }
    periods.push({ fact, from, to });
    end = to;
  }
  return periods;
}

/** The end of what was paid for; null when nothing counts. */
export const findPaidThrough = (facts: readonly Fact[], calendar: Calendar): number | null =>
  findPeriods(facts, calendar).at(-1)?.to ?? null;
