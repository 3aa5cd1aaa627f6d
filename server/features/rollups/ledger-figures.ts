import { addDays, addMonths, monthOf } from '#contract/rules/report-days.ts';
import { dayOf } from '#contract/rules/days.ts';
import type { MoneyReturnsTable } from '../../db/types/report-tables.ts';

/** The time a payment covers. */
type PaidPeriod = { from: number; to: number; amount: number; months: number };

/** Ledger entries about money, in the order they were recorded. A refund’s amount is the total refunded so far. */
export type MoneyEntry = {
  kind: 'charge' | 'refund' | 'dispute' | 'dispute-won';
  at: number;
  charge: string;
  amount: number;
};

export type PaidHistory = {
  userId: string;
  periods: readonly PaidPeriod[];
  entries: readonly MoneyEntry[];
};

/** Figures by table and key, such as the day: what to add to that row. */
export type Figures = {
  days: Map<string, { started: number; ended: number; mrr: number }>;
  money: Map<string, { payments: number; charged: number; returned: number }>;
  /** The key is the month of the first payment and the number of months since, `2026-11/3`. */
  cohorts: Map<string, { subscribers: number }>;
};

type Span = { from: string; to: string; monthly: number };

/** From the first day a payment covers to the day it expires. */
const toSpans = (periods: readonly PaidPeriod[], timeZone: string): Span[] =>
  periods
    .toSorted((a, b) => a.from - b.from)
    .map(({ from, to, amount, months }) => ({
      from: dayOf(from, timeZone),
      to: dayOf(to, timeZone),
      monthly: Math.round(amount / months),
    }));

/**
 * The day a payment expires still counts, because the renewal arrives in the course of that day. Days
 * that the next payment covers count for the next payment.
 */
const toPaidDays = (spans: readonly Span[]): Span[] =>
  spans
    .map((span, index) => {
      const end = addDays(span.to, 1);
      const next = spans[index + 1]?.from ?? end;
      return { ...span, to: next < end ? next : end };
    })
    .filter(({ from, to }) => from < to);

/** The days one payment covers, and whether paying starts or ends with it. */
export type PaidSpan = Span & { isStart: boolean; isEnd: boolean; cohort: string | null };

/** A user counts as paying on every day inside one of these spans. */
export function buildPaidSpans({ periods }: PaidHistory, timeZone: string): PaidSpan[] {
  const spans = toSpans(periods, timeZone);
  const first = spans.find(({ from, to }) => from < to)?.from;
  return toPaidDays(spans).map((span, index, all) => ({
    ...span,
    isStart: all[index - 1]?.to !== span.from,
    isEnd: all[index + 1]?.from !== span.to,
    cohort: first === span.from ? monthOf(first) : null,
  }));
}

/** Joins spans that touch: renewing in time isn’t stopping. */
function joinSpans(spans: readonly Span[]): { from: string; to: string }[] {
  const joined: { from: string; to: string }[] = [];
  for (const { from, to } of spans) {
    const last = joined.at(-1);
    if (!last || from > last.to) joined.push({ from, to });
    else if (to > last.to) last.to = to;
  }
  return joined;
}

/** Adds to a row, or creates it. */
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

/** A month later, only users who paid again count: the day a payment expires doesn’t. */
function addCohort(figures: Figures, joined: readonly { from: string; to: string }[]) {
  const first = joined[0]?.from;
  const end = joined.at(-1)?.to;
  if (!first || !end) return;
  for (let month = 0; addMonths(first, month) < end; month += 1) {
    const day = addMonths(first, month);
    if (joined.some(({ from, to }) => from <= day && day < to))
      add(figures.cohorts, `${monthOf(first)}/${month}`, { subscribers: 1 });
  }
}

type Movement = Pick<MoneyEntry, 'kind' | 'at'> & {
  change: { payments: number; charged: number; returned: number };
};

/** What each entry changed, given all entries before it. */
function* listMovements(money: readonly MoneyEntry[]): Generator<Movement> {
  const charges = new Map<string, { amount: number; refunded: number; chargedBack: number }>();
  for (const { kind, at, charge, amount } of money) {
    const state = charges.get(charge) ?? { amount: 0, refunded: 0, chargedBack: 0 };
    const change = { payments: 0, charged: 0, returned: 0 };
    if (kind === 'charge') {
      Object.assign(change, { payments: amount > 0 ? 1 : 0, charged: amount });
      state.amount = amount;
    } else if (kind === 'refund') {
      // The latest total applies: a refund that failed later is subtracted again.
      change.returned = amount - state.refunded;
      state.refunded = amount;
    } else if (kind === 'dispute') {
      change.returned = Math.max(0, state.amount - state.refunded - state.chargedBack);
      state.chargedBack += change.returned;
    } else {
      change.returned = -state.chargedBack;
      state.chargedBack = 0;
    }
    charges.set(charge, state);
    yield { kind, at, change };
  }
}

/** A refund, chargeback or reversed chargeback. */
export type MoneyReturn = Pick<MoneyReturnsTable, 'kind' | 'at' | 'day' | 'amount'>;

export const buildMoneyReturns = (
  { entries: money }: PaidHistory,
  timeZone: string,
): MoneyReturn[] =>
  [...listMovements(money)].flatMap(({ kind, at, change: { returned } }) =>
    kind === 'charge' || returned === 0
      ? []
      : [{ kind, at, day: dayOf(at, timeZone), amount: returned }],
  );

function addMoney(figures: Figures, money: readonly MoneyEntry[], timeZone: string) {
  for (const { at, change } of listMovements(money))
    add(figures.money, dayOf(at, timeZone), change);
}

/** What these users contribute to the figures of the site. */
export function sumFigures(histories: readonly PaidHistory[], timeZone: string): Figures {
  const figures: Figures = { days: new Map(), money: new Map(), cohorts: new Map() };
  for (const { periods, entries: money } of histories) {
    addSpans(figures, toSpans(periods, timeZone));
    addMoney(figures, money, timeZone);
  }
  return figures;
}

/** What to add to each row to get from `before` to `after`, ordered by key. */
export function diffFigures<T extends Record<string, number>>(
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
