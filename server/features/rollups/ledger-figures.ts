import { addDays, addMonths, monthOf } from '#contract/rules/report-days.ts';
import { dayOf } from '#contract/rules/days.ts';
import type { MoneyReturnsTable } from '../../db/report-tables.ts';

/** A stretch that a payment covers. */
export type PaidPeriod = { from: number; to: number; amount: number; months: number };

/** What money did, in the order in which we learned of it. Refunds say what has gone back in all. */
export type MoneyFact = {
  kind: 'charge' | 'refund' | 'dispute' | 'dispute-won';
  at: number;
  charge: string;
  amount: number;
};

export type PaidHistory = {
  userId: string;
  periods: readonly PaidPeriod[];
  money: readonly MoneyFact[];
};

/** Numbers by table and key: `day 2026-11-15` → what one member adds to that row. */
export type Figures = {
  days: Map<string, { started: number; ended: number; mrr: number }>;
  money: Map<string, { payments: number; charged: number; returned: number }>;
  /** By `2026-11/3`: the month of the first payment, and how many months later. */
  cohorts: Map<string, { members: number }>;
};

type Span = { from: string; to: string; monthly: number };

/** From the day a payment begins to cover to the day on which it runs out. */
const toSpans = (periods: readonly PaidPeriod[], timeZone: string): Span[] =>
  periods
    .toSorted((a, b) => a.from - b.from)
    .map(({ from, to, amount, months }) => ({
      from: dayOf(from, timeZone),
      to: dayOf(to, timeZone),
      monthly: Math.round(amount / months),
    }));

/**
 * The day on which a payment runs out still counts: the next one comes some time in the course of it,
 * and until then nobody is lost. What the next one covers counts for that one.
 */
const toPaidDays = (spans: readonly Span[]): Span[] =>
  spans
    .map((span, index) => {
      const end = addDays(span.to, 1);
      const next = spans[index + 1]?.from ?? end;
      return { ...span, to: next < end ? next : end };
    })
    .filter(({ from, to }) => from < to);

/** One payment of a member, and what it is in all that they paid. */
export type PaidSpan = Span & { isBegin: boolean; isEnd: boolean; cohort: string | null };

/** Those who are counted on a day are those with a span over it. */
export function spansOf({ periods }: PaidHistory, timeZone: string): PaidSpan[] {
  const spans = toSpans(periods, timeZone);
  const first = spans.find(({ from, to }) => from < to)?.from;
  return toPaidDays(spans).map((span, index, all) => ({
    ...span,
    isBegin: all[index - 1]?.to !== span.from,
    isEnd: all[index + 1]?.from !== span.to,
    cohort: first === span.from ? monthOf(first) : null,
  }));
}

/** Spans that touch are one: who renews in time has not stopped. */
function joinSpans(spans: readonly Span[]): { from: string; to: string }[] {
  const joined: { from: string; to: string }[] = [];
  for (const { from, to } of spans) {
    const last = joined.at(-1);
    if (!last || from > last.to) joined.push({ from, to });
    else if (to > last.to) last.to = to;
  }
  return joined;
}

/** Adds to one row, which is made when it is first needed. */
function add<T extends Record<string, number>>(rows: Map<string, T>, key: string, change: T) {
  const row: Record<string, number> = { ...rows.get(key) };
  for (const [name, value] of Object.entries(change)) row[name] = (row[name] ?? 0) + value;
  rows.set(key, row as T);
}

function addSpans(figures: Figures, spans: readonly Span[]) {
  const paid = toPaidDays(spans);
  for (const { from, to, monthly } of paid) {
    add(figures.days, from, { started: 0, ended: 0, mrr: monthly });
    add(figures.days, to, { started: 0, ended: 0, mrr: -monthly });
  }
  for (const { from, to } of joinSpans(paid)) {
    add(figures.days, from, { started: 1, ended: 0, mrr: 0 });
    add(figures.days, to, { started: 0, ended: 1, mrr: 0 });
  }
  addCohort(figures, joinSpans(spans.filter(({ from, to }) => from < to)));
}

/** On the day a month later only who has paid again pays: the day on which it runs out is none. */
function addCohort(figures: Figures, joined: readonly { from: string; to: string }[]) {
  const first = joined[0]?.from;
  const end = joined.at(-1)?.to;
  if (!first || !end) return;
  for (let month = 0; addMonths(first, month) < end; month += 1) {
    const day = addMonths(first, month);
    if (joined.some(({ from, to }) => from <= day && day < to))
      add(figures.cohorts, `${monthOf(first)}/${month}`, { members: 1 });
  }
}

type Movement = Pick<MoneyFact, 'kind' | 'at'> & {
  change: { payments: number; charged: number; returned: number };
};

/** What each fact has moved, given all before it. */
function* followMoney(money: readonly MoneyFact[]): Generator<Movement> {
  const charges = new Map<string, { amount: number; refunded: number; held: number }>();
  for (const { kind, at, charge, amount } of money) {
    const known = charges.get(charge) ?? { amount: 0, refunded: 0, held: 0 };
    const change = { payments: 0, charged: 0, returned: 0 };
    if (kind === 'charge') {
      Object.assign(change, { payments: amount > 0 ? 1 : 0, charged: amount });
      known.amount = amount;
    } else if (kind === 'refund') {
      // The last total holds: a refund that failed since comes back.
      change.returned = amount - known.refunded;
      known.refunded = amount;
    } else if (kind === 'dispute') {
      change.returned = Math.max(0, known.amount - known.refunded - known.held);
      known.held += change.returned;
    } else {
      change.returned = -known.held;
      known.held = 0;
    }
    charges.set(charge, known);
    yield { kind, at, change };
  }
}

/** What of a member's money went back, and when. */
export type MoneyReturn = Pick<MoneyReturnsTable, 'kind' | 'at' | 'day' | 'amount'>;

export const returnsOf = ({ money }: PaidHistory, timeZone: string): MoneyReturn[] =>
  [...followMoney(money)].flatMap(({ kind, at, change: { returned } }) =>
    kind === 'charge' || returned === 0
      ? []
      : [{ kind, at, day: dayOf(at, timeZone), amount: returned }],
  );

function addMoney(figures: Figures, money: readonly MoneyFact[], timeZone: string) {
  for (const { at, change } of followMoney(money)) add(figures.money, dayOf(at, timeZone), change);
}

/** What members add to the numbers of the site, from all that each of them paid. */
export function figuresOf(histories: readonly PaidHistory[], timeZone: string): Figures {
  const figures: Figures = { days: new Map(), money: new Map(), cohorts: new Map() };
  for (const { periods, money } of histories) {
    addSpans(figures, toSpans(periods, timeZone));
    addMoney(figures, money, timeZone);
  }
  return figures;
}

/** What must be added to rows so that they say `after` where they said `before`; in the order of the keys. */
export function changesOf<T extends Record<string, number>>(
  before: ReadonlyMap<string, T>,
  after: ReadonlyMap<string, T>,
): [key: string, change: T][] {
  const rows = new Map<string, T>();
  for (const [key, row] of after) add(rows, key, row);
  for (const [key, row] of before)
    add(
      rows,
      key,
      Object.fromEntries(Object.entries(row).map(([name, value]) => [name, -value])) as T,
    );
  return [...rows]
    .filter(([, row]) => Object.values(row).some((value) => value !== 0))
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
}
