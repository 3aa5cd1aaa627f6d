import { z } from 'zod';
import { defineRoutes } from './route.ts';
import { WEEK_KEY } from './rules/weeks.ts';
import { Track } from './tracks.ts';

export const ChartEntry = z.object({
  rank: z.int(),
  track: Track,
  /** Ranks gained since the previous chart; negative when it fell, null when it is new. */
  movement: z.int().nullable(),
  previousRank: z.int().nullable(),
  peak: z.int(),
  weeksOnChart: z.int(),
  /** Ranks in the last charts, oldest first; null where it did not chart. */
  recent: z.array(z.int().nullable()),
  /** The reason for the rank: unique listeners per day, added up over the days of the chart. */
  points: z.number(),
  subscriberDays: z.int(),
  freeDays: z.int(),
});
export type ChartEntry = z.infer<typeof ChartEntry>;

export const Chart = z.object({
  asOf: z.number(),
  /** `2026-W46` for an archived chart, null for the live one. */
  week: z.string().nullable(),
  /** The first and last day that count. */
  from: z.string(),
  to: z.string(),
  /** The archived charts before and after this one. */
  previousWeek: z.string().nullable(),
  nextWeek: z.string().nullable(),
  items: z.array(ChartEntry),
});
export type Chart = z.infer<typeof Chart>;

export const chartRoutes = defineRoutes({
  'GET /api/top-20': {
    summary: 'The chart of the last seven days, or an archived one.',
    query: z.strictObject({ week: z.string().regex(WEEK_KEY).optional() }),
    response: Chart,
    errors: ['not_found'],
  },
});
