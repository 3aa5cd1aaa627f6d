import { z } from 'zod';
import { defineRoutes } from './route.ts';
import { WEEK_KEY } from './rules/weeks.ts';
import { Track } from './tracks.ts';

export const ChartEntry = z.object({
  rank: z.int(),
  track: Track,
  /** Places gained since the chart before; negative when it fell, null when it was not in it. */
  movement: z.int().nullable(),
  previousRank: z.int().nullable(),
  peak: z.int(),
  weeksOnChart: z.int(),
  /** Ranks in the last charts, the oldest first; null where it was not in one. */
  recent: z.array(z.int().nullable()),
  /** Why this place: distinct listeners per day, added up over the days of the chart. */
  points: z.number(),
  subscriberDays: z.int(),
  freeDays: z.int(),
});
export type ChartEntry = z.infer<typeof ChartEntry>;

export const Chart = z.object({
  asOf: z.number(),
  /** `2026-W46` for a chart that is kept for good, null for the one that moves. */
  week: z.string().nullable(),
  /** The first and the last calendar day that count. */
  from: z.string(),
  to: z.string(),
  /** The kept charts beside this one. */
  previousWeek: z.string().nullable(),
  nextWeek: z.string().nullable(),
  items: z.array(ChartEntry),
});
export type Chart = z.infer<typeof Chart>;

export const chartRoutes = defineRoutes({
  'GET /api/top-20': {
    summary: 'The chart of the last seven days, or one that was frozen on a Monday.',
    query: z.strictObject({ week: z.string().regex(WEEK_KEY).optional() }),
    response: Chart,
    errors: ['not_found'],
  },
});
