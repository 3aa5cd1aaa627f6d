import { type DayRange, addDays, mondayOf, weekdayOf } from '#contract/rules/report-days.ts';
import { weekOf } from '#contract/rules/weeks.ts';
import type { Db } from '../../db/connect.ts';
import { startAfter } from '../../db/keyset.ts';
import type { PlayHoursTable } from '../../db/types/report-tables.ts';
import { listSiteDays } from './play-sums.ts';
import { forEachRow } from './read-in-batches.ts';
import { type ReportDefinition, row, sumOf } from './report.ts';

const listHours = (db: Db, { from, to }: DayRange, after: PlayHoursTable | null, limit: number) =>
  db
    .selectFrom('play_hours')
    .selectAll()
    .where(startAfter(['day', 'hour'], after && [after.day, after.hour], from))
    .where('day', '<=', to)
    .orderBy('day')
    .orderBy('hour')
    .limit(limit)
    .execute();

const HOURS = 24;

const WEEKDAYS = 7;

export const activity: ReportDefinition = {
  title: 'When people listen',
  definition: 'Plays by weekday and hour, in the site’s time zone.',
  plot: 'heat',
  columns: [
    { key: 'weekday', label: 'Day', kind: 'weekday' },
    { key: 'hour', label: 'Hour', kind: 'hour' },
    { key: 'plays', label: 'Plays', kind: 'count' },
  ],
  figures: {
    weekend: {
      label: 'On weekends',
      definition: 'Share of plays on Saturday or Sunday.',
      unit: 'share',
    },
    night: {
      label: 'After dark',
      definition: 'Share of plays between 18:00 and 06:00.',
      unit: 'share',
    },
  },
  compares: 'figures',
  async read({ db }, range) {
    const cells = Array.from({ length: WEEKDAYS * HOURS }, () => 0);
    await forEachRow(
      (after: PlayHoursTable | null, limit) => listHours(db, range, after, limit),
      ({ day, hour, plays }) => {
        const cell = weekdayOf(day) * HOURS + hour;
        cells[cell] = (cells[cell] ?? 0) + plays;
      },
    );
    const total = sumOf(cells, (plays) => plays);
    const shareWhere = (is: (weekday: number, hour: number) => boolean) =>
      total === 0
        ? null
        : cells.reduce(
            (sum, plays, i) => (is(Math.floor(i / HOURS), i % HOURS) ? sum + plays : sum),
            0,
          ) / total;
    return {
      values: {
        weekend: shareWhere((weekday) => weekday >= 5),
        night: shareWhere((_weekday, hour) => hour >= 18 || hour < 6),
      },
      rows:
        total === 0 ? [] : cells.map((plays, i) => row([Math.floor(i / HOURS), i % HOURS, plays])),
    };
  },
};

export const weeks: ReportDefinition = {
  title: 'Busiest weeks',
  definition:
    'Plays per week (Monday to Sunday), busiest first. Partial weeks count only the days in range.',
  plot: 'ranking',
  columns: [
    { key: 'name', label: 'Week', kind: 'text' },
    { key: 'week', label: 'Number', kind: 'week' },
    { key: 'plays', label: 'Plays', kind: 'count' },
    { key: 'monday', label: 'From', kind: 'day' },
    { key: 'sunday', label: 'To', kind: 'day' },
  ],
  figures: {
    best: {
      label: 'Busiest week',
      definition: 'Plays in the busiest week.',
      unit: 'count',
      isGoodWhen: 'more',
    },
  },
  compares: 'figures',
  async read({ db }, range) {
    const sums = new Map<string, number>();
    for (const { day, plays } of await listSiteDays(db, range)) {
      const monday = mondayOf(day);
      sums.set(monday, (sums.get(monday) ?? 0) + plays);
    }
    const ranked = [...sums].toSorted(([a, x], [b, y]) => y - x || (a < b ? 1 : -1));
    return {
      values: { best: ranked[0]?.[1] ?? 0 },
      rows: ranked.map(([monday, plays]) => {
        const week = weekOf(Date.parse(`${monday}T12:00:00Z`), 'UTC');
        const sunday = addDays(monday, 6);
        const to = sunday < range.to ? sunday : range.to;
        const from = monday > range.from ? monday : range.from;
        const href = `/admin/reports?report=tracks&from=${from}&to=${to}`;
        return row([`Week ${week.week}, ${week.year}`, week.week, plays, monday, sunday], href);
      }),
    };
  },
};
