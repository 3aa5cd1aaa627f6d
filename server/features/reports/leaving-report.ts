import { sql } from 'kysely';
import {
  DEPARTURE_WAYS,
  describeDeparture,
  type DepartureReason,
  type DepartureWay,
} from '#contract/rules/departures.ts';
import { CANCEL_REASONS } from '#contract/billing.ts';
import { buildDateFormat } from '#contract/rules/days.ts';
import { type DayRange, monthOf } from '#contract/rules/report-days.ts';
import type { Db } from '../../db/connect.ts';
import { startAfter } from '../../db/keyset.ts';
import { type FigureList, type ReportDefinition, row, sumOf, toTimeRange } from './report.ts';
import { splitByMonth } from './subscription-reports.ts';
import { formatUserName, userHref } from './user-names.ts';

/** Why someone left: what they answered when they cancelled, or what happened. */
const WHY: readonly { way: DepartureWay; reason: DepartureReason | null }[] = [
  ...CANCEL_REASONS.map((reason) => ({ way: 'cancelled' as const, reason })),
  ...DEPARTURE_WAYS.map((way) => ({ way, reason: null })),
];

const formatMonth = buildDateFormat({ month: 'short', year: 'numeric' });

/** Money that goes back counts for itself, whatever reason came with it. */
const keyOf = ({ way, reason }: { way: DepartureWay; reason: DepartureReason | '' | null }) =>
  way === 'cancelled' ? reason || 'none' : way;

const listSums = (db: Db, { from, to }: DayRange) =>
  db
    .selectFrom('departure_days')
    .select(['way', 'reason', sql<string>`substr(day, 1, 7)`.as('month')])
    .select(({ fn }) => [
      fn.sum<number>('departures').as('departures'),
      fn.sum<number>('months').as('months'),
    ])
    .where('day', '>=', from)
    .where('day', '<=', to)
    .groupBy(['way', 'reason', sql`substr(day, 1, 7)`])
    .execute();

const listOf = (ways: readonly DepartureWay[]): FigureList => ({
  columns: [
    { key: 'user', label: 'Member', kind: 'text' },
    { key: 'email', label: 'E-mail', kind: 'text' },
    { key: 'at', label: 'Left', kind: 'time' },
    { key: 'why', label: 'Why', kind: 'text' },
    { key: 'comment', label: 'In their words', kind: 'text' },
    { key: 'plan', label: 'Plan', kind: 'text' },
    { key: 'months', label: 'Months stayed', kind: 'count' },
    { key: 'track', label: 'Last mix heard', kind: 'text' },
  ],
  read: async (context, range, { after, limit }) => {
    const { from, to, after: last } = toTimeRange(context, range, after);
    const rows = await context.db
      .selectFrom('departures')
      .leftJoin('users', 'users.id', 'departures.user_id')
      .leftJoin('tracks', 'tracks.id', 'departures.track_id')
      .selectAll('departures')
      .select(['users.username', 'users.email', 'tracks.title'])
      .where('departures.taken_back_at', 'is', null)
      .where('departures.way', 'in', ways)
      .where('departures.at', '<', to)
      .where(startAfter(['departures.at', 'departures.id'], last, from))
      .orderBy('departures.at')
      .orderBy('departures.id')
      .limit(limit)
      .execute();
    return rows.map((one) => ({
      row: row(
        [
          formatUserName(one),
          one.email,
          one.at,
          describeDeparture(one),
          one.comment,
          one.plan === 'annual' ? 'Annual' : 'Monthly',
          one.months,
          one.title,
        ],
        userHref(one.user_id),
      ),
      cursor: [String(one.at), one.id],
    }));
  },
});

export const leaving: ReportDefinition = {
  title: 'Who left and why',
  definition:
    'Subscriptions that were cancelled or ended, on the day that was decided, with trials. Paid time may go on for a while. Whoever went on after all doesn’t count, nor do months that were paid once.',
  plot: 'ranking',
  columns: [
    { key: 'why', label: 'Why', kind: 'text' },
    { key: 'left', label: 'Left', kind: 'count' },
  ],
  figures: {
    left: {
      label: 'Left',
      definition: 'Everyone who left in this period.',
      unit: 'count',
      isGoodWhen: 'less',
      list: listOf(DEPARTURE_WAYS),
    },
    cancelled: {
      label: 'Cancelled',
      definition: 'They cancelled themselves. They were asked why, and needn’t answer.',
      unit: 'count',
      isGoodWhen: 'less',
      list: listOf(['cancelled']),
    },
    unpaid: {
      label: 'Payment failed',
      definition: 'The card was declined until the end, and nobody paid.',
      unit: 'count',
      isGoodWhen: 'less',
      list: listOf(['unpaid']),
    },
    months: {
      label: 'Months stayed',
      definition: 'How many whole months they had stayed, on average, rounded.',
      unit: 'count',
      isGoodWhen: 'more',
      list: listOf(DEPARTURE_WAYS),
    },
  },
  compares: 'figures',
  async read({ db }, range) {
    const sums = await listSums(db, range);
    const months = splitByMonth(range).map((part) => monthOf(part.from));
    const countOf = (some: typeof sums): number => sumOf(some, ({ departures }) => departures);
    const countWay = (one: DepartureWay): number => countOf(sums.filter(({ way }) => way === one));
    const left = countOf(sums);
    return {
      values: {
        left,
        cancelled: countWay('cancelled'),
        unpaid: countWay('unpaid'),
        months: left > 0 ? Math.round(sumOf(sums, (sum) => sum.months) / left) : null,
      },
      rows: WHY.map((why) => {
        const own = sums.filter((sum) => keyOf(sum) === keyOf(why));
        const inMonth = months.map((month) => countOf(own.filter((sum) => sum.month === month)));
        return row([describeDeparture(why), countOf(own), ...inMonth]);
      })
        .filter(({ cells: [, all] }) => all !== 0)
        .toSorted((a, b) => Number(b.cells[1]) - Number(a.cells[1])),
      moreColumns: months.map((month) => ({
        key: month,
        label: formatMonth(`${month}-01`, 'UTC'),
        kind: 'count',
      })),
    };
  },
};
