import { row, sumOf, type ReportDefinition, type ReportContext } from './report.ts';
import { formatWeekKey } from '#contract/rules/weeks.ts';
import type { DayRange } from '#contract/rules/report-days.ts';
import { readParts } from './read-parts.ts';
import { sumPlays } from './sum-plays.ts';
import { listTrackWeeks } from './track-queries.ts';

async function sumByWeek({ db }: ReportContext, range: DayRange) {
  const plays = await sumPlays(db, range);
  const weeks = new Map<string, { year: number; week: number; plays: number }>();
  await readParts(
    (after: { id: string; year: number; week: number } | null, limit) =>
      listTrackWeeks(db, after, limit),
    ({ id, year, week }) => {
      const key = formatWeekKey({ year, week });
      const sum = weeks.get(key) ?? { year, week, plays: 0 };
      weeks.set(key, { ...sum, plays: sum.plays + (plays.get(id) ?? 0) });
    },
  );
  return [...weeks].toSorted(([a], [b]) => (a < b ? -1 : 1));
}

export const releases: ReportDefinition = {
  title: 'Plays by week of release',
  definition:
    'Counted plays in these days, by the week that the mix belongs to. Weeks nobody played are left out.',
  plot: 'week-bars',
  columns: [
    { key: 'release', label: 'Release', kind: 'text' },
    { key: 'week', label: 'Week', kind: 'week' },
    { key: 'plays', label: 'Plays', kind: 'count' },
  ],
  figures: {
    weeks: {
      label: 'Weeks played',
      definition: 'Weeks of release with at least one counted play in these days.',
      unit: 'count',
    },
    plays: {
      label: 'Plays',
      definition: 'Counted plays of all of them.',
      unit: 'count',
      isGoodWhen: 'more',
    },
  },
  compares: 'figures',
  async read(context, range) {
    const weeks = (await sumByWeek(context, range)).filter(([, { plays }]) => plays > 0);
    return {
      values: { weeks: weeks.length, plays: sumOf(weeks, ([, { plays }]) => plays) },
      rows: weeks.map(([key, { year, week, plays }]) =>
        row([key, week, plays], `/admin/tracks?q=w${week}&year=${year}`),
      ),
    };
  },
};
