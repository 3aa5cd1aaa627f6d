import {
  addDays,
  addMonths,
  listDays,
  monthOf,
  type DayRange,
} from '#contract/rules/report-days.ts';
import type { Db } from '../../db/connect.ts';
import { listSubscriptionDays, sumBefore } from './money-queries.ts';
import { payersThat } from './payer-lists.ts';
import {
  byKey,
  row,
  shareOf,
  sumOf,
  type FigureDefinition,
  type ReportDefinition,
} from './report.ts';

const PAYS =
  'Somebody pays on every day that a payment covers, the one on which it runs out included; a payment that was paid back in full counts as never made. Trials, gifts and free access are not paid for.';

type Standing = { day: string; started: number; ended: number; active: number; mrr: number };

/** Each day with all that changed until its end. */
async function readStandings(db: Db, range: DayRange) {
  const before = await sumBefore(db, range.from);
  const changes = byKey(await listSubscriptionDays(db, range), ({ day }) => day);
  let { active, mrr } = before;
  const days = listDays(range).map((day): Standing => {
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
  definition: 'People who pay on the last day.',
  unit: 'count',
  isGoodWhen: 'more',
  list: payersThat.pay,
};

const lost: FigureDefinition = {
  label: 'Lost',
  definition: 'People who pay no more since one of these days, without another payment so far.',
  unit: 'count',
  isGoodWhen: 'less',
  list: payersThat.stopped,
};

export const subscribers: ReportDefinition = {
  title: 'Subscribers',
  definition: PAYS,
  plot: 'line',
  columns: [
    { key: 'day', label: 'Day', kind: 'day' },
    { key: 'active', label: 'Paying', kind: 'count', joins: 'last' },
    { key: 'new', label: 'New', kind: 'count', joins: 'sum' },
    { key: 'lost', label: 'Lost', kind: 'count', joins: 'sum' },
  ],
  figures: {
    active,
    new: {
      label: 'New',
      definition: 'People who began to pay in these days, for the first time or again after a gap.',
      unit: 'count',
      isGoodWhen: 'more',
      list: payersThat.began,
    },
    lost,
  },
  compares: 'rows',
  async read({ db }, range) {
    const { days, at, started, ended } = await readStandings(db, range);
    return {
      values: { active: at.active, new: started, lost: ended },
      rows: days.map((day) => row([day.day, day.active, day.started, day.ended])),
    };
  },
};

export const mrr: ReportDefinition = {
  title: 'Monthly recurring revenue',
  definition: `What everybody who pays last paid, each divided by its months: a twelfth of an annual payment. ${PAYS}`,
  plot: 'line',
  columns: [
    { key: 'day', label: 'Day', kind: 'day' },
    { key: 'mrr', label: 'MRR', kind: 'cents', joins: 'last' },
    { key: 'active', label: 'Paying', kind: 'count', joins: 'last' },
    { key: 'arpu', label: 'ARPU', kind: 'cents', joins: 'last' },
  ],
  figures: {
    mrr: {
      label: 'MRR',
      definition: 'Monthly recurring revenue on the last day.',
      unit: 'cents',
      isGoodWhen: 'more',
      list: payersThat.pay,
    },
    arpu: {
      label: 'ARPU',
      definition: 'Average revenue per user: MRR divided by the people who pay.',
      unit: 'cents',
      isGoodWhen: 'more',
      list: payersThat.pay,
    },
    active,
  },
  compares: 'rows',
  async read({ db }, range) {
    const { days, at } = await readStandings(db, range);
    const arpuOf = (standing: { active: number; mrr: number }) =>
      standing.active > 0 ? Math.round(standing.mrr / standing.active) : null;
    return {
      values: { mrr: at.mrr, arpu: arpuOf(at), active: at.active },
      rows: days.map((day) => row([day.day, day.mrr, day.active, arpuOf(day)])),
    };
  },
};

/** The parts of the range that lie in one month each. */
function cutByMonth({ from, to }: DayRange): DayRange[] {
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
  definition: `Of the people who paid when the first day began, how many were lost by the end of the last. ${PAYS}`,
  plot: 'bars',
  columns: [
    { key: 'month', label: 'Month', kind: 'month' },
    { key: 'churn', label: 'Churn', kind: 'share' },
    { key: 'before', label: 'Paying before', kind: 'count' },
    { key: 'lost', label: 'Lost', kind: 'count' },
  ],
  figures: {
    churn: {
      label: 'Churn',
      definition: 'People lost in these days, as a share of those who paid when they began.',
      unit: 'share',
      isGoodWhen: 'less',
      list: payersThat.stopped,
    },
    lost,
  },
  compares: 'figures',
  async read({ db }, range) {
    const { before, days, ended } = await readStandings(db, range);
    const standings = byKey(days, ({ day }) => day);
    const rows = cutByMonth(range).map((part) => {
      const atStart = standings.get(addDays(part.from, -1))?.active ?? before.active;
      const gone = sumOf(listDays(part), (day) => standings.get(day)?.ended ?? 0);
      return row([monthOf(part.from), shareOf(gone, atStart), atStart, gone]);
    });
    return { values: { churn: shareOf(ended, before.active), lost: ended }, rows };
  },
};
