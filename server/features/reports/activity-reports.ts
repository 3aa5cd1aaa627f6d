import { addDays, mondayOf, weekdayOf } from '#contract/rules/report-days.ts';
import { formatWeekKey, weekOf } from '#contract/rules/weeks.ts';
import type { PlayHoursTable } from '../../db/report-tables.ts';
import { listHours, listSiteDays } from './play-queries.ts';
import { readParts } from './read-parts.ts';
import { row, sumOf, type ReportDefinition } from './report.ts';

const HOURS = 24;
const WEEKDAYS = 7;

export const activity: ReportDefinition = {
  title: 'When people listen',
  definition: 'Counted plays by day of the week and hour of the day, on the clocks of the site.',
  plot: 'heat',
  columns: [
    { key: 'weekday', label: 'Day', kind: 'weekday' },
    { key: 'hour', label: 'Hour', kind: 'hour' },
    { key: 'plays', label: 'Plays', kind: 'count' },
  ],
  figures: {
    weekday: {
      label: 'On weekends',
      definition: 'The share of the plays that were counted on a Saturday or a Sunday.',
      unit: 'share',
    },
    night: {
      label: 'After dark',
      definition: 'The share of the plays that were counted from 18:00 to 06:00.',
      unit: 'share',
    },
  },
  compares: 'figures',
  async read({ db }, range) {
    const cells = Array.from({ length: WEEKDAYS * HOURS }, () => 0);
    await readParts(
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
        weekday: shareWhere((weekday) => weekday >= 5),
        night: shareWhere((_weekday, hour) => hour >= 18 || hour < 6),
      },
      rows:
        total === 0 ? [] : cells.map((plays, i) => row([Math.floor(i / HOURS), i % HOURS, plays])),
    };
  },
};

export const weeks: ReportDefinition = {
  title: 'Most active weeks',
  definition:
    'Counted plays of each week, Monday to Sunday, that these days touch; the busiest first. A week that is cut off counts only the days in the range.',
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
      definition: 'Counted plays of the busiest of these weeks.',
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
        return row([formatWeekKey(week), week.week, plays, monday, sunday], href);
      }),
    };
  },
};
