import { sql } from 'kysely';
import {
  type DayRange,
  addDays,
  addMonths,
  listDays,
  monthOf,
} from '#contract/rules/report-days.ts';
import type { Db } from '../../db/connect.ts';
import {
  type FigureDefinition,
  type ReportDefinition,
  byKey,
  row,
  shareOf,
  sumOf,
} from './report.ts';
import { subscriberLists } from './subscriber-lists.ts';

/** The totals of all changes before a day. */
export async function sumBefore(db: Db, day: string): Promise<{ active: number; mrr: number }> {
  const found = await db
    .selectFrom('subscription_days')
    .select([
      sql<number | null>`sum(started - ended)`.as('active'),
      sql<number | null>`sum(mrr)`.as('mrr'),
    ])
    .where('day', '<', day)
    .executeTakeFirst();
  return { active: found?.active ?? 0, mrr: found?.mrr ?? 0 };
}

const listSubscriptionDays = (db: Db, { from, to }: DayRange) =>
  db
    .selectFrom('subscription_days')
    .selectAll()
    .where('day', '>=', from)
    .where('day', '<=', to)
    .orderBy('day')
    .execute();

const PAYING_DEFINITION =
  'A subscriber counts as paying on every day a payment covers, including the last. Fully refunded payments, trials, gifts and complimentary access don’t count.';

type DayTotals = { day: string; started: number; ended: number; active: number; mrr: number };

/** What changed on each day, and the totals at its end. */
async function readDailyTotals(db: Db, range: DayRange) {
  const before = await sumBefore(db, range.from);
  const changes = byKey(await listSubscriptionDays(db, range), ({ day }) => day);
  let { active, mrr } = before;
  const days = listDays(range).map((day): DayTotals => {
    const { started = 0, ended = 0, mrr: change = 0 } = changes.get(day) ?? {};
    active += started - ended;
    mrr += change;
    return { day, started, ended, active, mrr };
  });
  return {
    before,
    days,
    at: { active, mrr },
    started: sumOf(days, (day) => day.started),
    ended: sumOf(days, (day) => day.ended),
  };
}

const active: FigureDefinition = {
  label: 'Active subscribers',
  definition: 'Paying subscribers at the end of the period.',
  unit: 'count',
  isGoodWhen: 'more',
  list: subscriberLists.paying,
};

const lost: FigureDefinition = {
  label: 'Lost',
  definition: 'Subscribers who stopped paying in this period.',
  unit: 'count',
  isGoodWhen: 'less',
  list: subscriberLists.stopped,
};

export const subscribers: ReportDefinition = {
  title: 'Subscribers',
  definition: PAYING_DEFINITION,
  plot: 'line',
  columns: [
    { key: 'day', label: 'Day', kind: 'day' },
    { key: 'active', label: 'Paying', kind: 'count', aggregate: 'last' },
    { key: 'new', label: 'New', kind: 'count', aggregate: 'sum' },
    { key: 'lost', label: 'Lost', kind: 'count', aggregate: 'sum' },
  ],
  figures: {
    active,
    new: {
      label: 'New',
      definition: 'Subscribers who started (or restarted) paying in this period.',
      unit: 'count',
      isGoodWhen: 'more',
      list: subscriberLists.started,
    },
    lost,
  },
  compares: 'rows',
  async read({ db }, range) {
    const { days, at, started, ended } = await readDailyTotals(db, range);
    return {
      values: { active: at.active, new: started, lost: ended },
      rows: days.map((day) => row([day.day, day.active, day.started, day.ended])),
    };
  },
};

export const mrr: ReportDefinition = {
  title: 'Monthly recurring revenue',
  definition: `Each subscriber’s latest payment per month (annual payments ÷ 12). ${PAYING_DEFINITION}`,
  plot: 'line',
  columns: [
    { key: 'day', label: 'Day', kind: 'day' },
    { key: 'mrr', label: 'MRR', kind: 'cents', aggregate: 'last' },
    { key: 'active', label: 'Paying', kind: 'count', aggregate: 'last' },
    { key: 'arpu', label: 'ARPU', kind: 'cents', aggregate: 'last' },
  ],
  figures: {
    mrr: {
      label: 'MRR',
      definition: 'Monthly recurring revenue at the end of the period.',
      unit: 'cents',
      isGoodWhen: 'more',
      list: subscriberLists.paying,
    },
    arpu: {
      label: 'ARPU',
      definition: 'Average revenue per user: MRR ÷ paying subscribers.',
      unit: 'cents',
      isGoodWhen: 'more',
      list: subscriberLists.paying,
    },
    active,
  },
  compares: 'rows',
  async read({ db }, range) {
    const { days, at } = await readDailyTotals(db, range);
    const arpuOf = (totals: { active: number; mrr: number }) =>
      totals.active > 0 ? Math.round(totals.mrr / totals.active) : null;
    return {
      values: { mrr: at.mrr, arpu: arpuOf(at), active: at.active },
      rows: days.map((day) => row([day.day, day.mrr, day.active, arpuOf(day)])),
    };
  },
};

/** One range per calendar month. */
export function splitByMonth({ from, to }: DayRange): DayRange[] {
  const parts: DayRange[] = [];
  for (let start = from; start <= to;) {
    const end = addDays(addMonths(`${monthOf(start)}-01`, 1), -1);
    parts.push({ from: start, to: end < to ? end : to });
    start = addDays(end, 1);
  }
  return parts;
}

export const churn: ReportDefinition = {
  title: 'Churn',
  definition: `Share of everyone who was paying in the period who stopped in it. ${PAYING_DEFINITION}`,
  plot: 'bars',
  columns: [
    { key: 'month', label: 'Month', kind: 'month' },
    { key: 'churn', label: 'Churn', kind: 'share' },
    { key: 'atStart', label: 'Paying at start', kind: 'count' },
    { key: 'new', label: 'New', kind: 'count' },
    { key: 'lost', label: 'Lost', kind: 'count' },
  ],
  figures: {
    churn: {
      label: 'Churn',
      definition: 'Lost ÷ (paying at the start + new).',
      unit: 'share',
      isGoodWhen: 'less',
      list: subscriberLists.stopped,
    },
    lost,
  },
  compares: 'figures',
  async read({ db }, range) {
    const { before, days, started, ended } = await readDailyTotals(db, range);
    const totals = byKey(days, ({ day }) => day);
    const rows = splitByMonth(range).map((part) => {
      const atStart = totals.get(addDays(part.from, -1))?.active ?? before.active;
      const came = sumOf(listDays(part), (day) => totals.get(day)?.started ?? 0);
      const gone = sumOf(listDays(part), (day) => totals.get(day)?.ended ?? 0);
      return row([monthOf(part.from), shareOf(gone, atStart + came), atStart, came, gone]);
    });
    // Without the new ones, who may stop in the same period, it could exceed 100%.
    const churned = shareOf(ended, before.active + started);
    return { values: { churn: churned, lost: ended }, rows };
  },
};
