import { z } from 'zod';
import { PageQuery } from './paging.ts';
import { defineRoutes } from './route.ts';

export const REPORT_NAMES = [
  'plays',
  'listeners',
  'live',
  'releases',
  'tracks',
  'completion',
  'activity',
  'weeks',
  'searches',
  'visits',
  'subscribers',
  'mrr',
  'churn',
  'cohorts',
  'revenue',
  'funnel',
] as const;
export const ReportName = z.enum(REPORT_NAMES, { error: 'There is no report of this name.' });
export type ReportName = z.infer<typeof ReportName>;

/** How a number is read: pieces, cents, a share from 0 to 1. */
export const Unit = z.enum(['count', 'cents', 'share']);
export type Unit = z.infer<typeof Unit>;

export const Figure = z.object({
  key: z.string(),
  label: z.string(),
  /** What exactly was counted, in a sentence. */
  definition: z.string(),
  unit: Unit,
  /** Null where it cannot be worked out, such as a share of nothing. */
  value: z.number().nullable(),
  /** Of the period before; null when there is nothing to compare with. */
  previous: z.number().nullable(),
  /** Which direction is good news; null when neither is. */
  isGoodWhen: z.enum(['more', 'less']).nullable(),
  /** The list behind the number. */
  href: z.string().nullable(),
});
export type Figure = z.infer<typeof Figure>;

export const Column = z.object({
  key: z.string(),
  label: z.string(),
  /** A moment is milliseconds, the rest as it is called. */
  kind: z.enum([
    'day',
    'moment',
    'week',
    'month',
    'weekday',
    'hour',
    'percent',
    'text',
    ...Unit.options,
  ]),
  /** What becomes of it when days are put together: added up, the last one, or their mean. */
  joins: z.enum(['sum', 'last', 'mean']).optional(),
});
export type Column = z.infer<typeof Column>;

export const ReportRow = z.object({
  cells: z.array(z.union([z.string(), z.number(), z.null()])),
  href: z.string().nullable(),
});
export type ReportRow = z.infer<typeof ReportRow>;

/** How the rows are best drawn; the first column is along the bottom. */
export const Plot = z.enum([
  'bars',
  'line',
  'week-bars',
  'curve',
  'heat',
  'funnel',
  'cohorts',
  'ranking',
]);
export type Plot = z.infer<typeof Plot>;

export const Report = z.object({
  name: ReportName,
  title: z.string(),
  definition: z.string(),
  /** Days in the site's time zone, the last included. */
  from: z.string(),
  to: z.string(),
  /** The period that it is compared with; null where a report has none. */
  before: z.object({ from: z.string(), to: z.string() }).nullable(),
  plot: Plot,
  figures: z.array(Figure),
  columns: z.array(Column),
  rows: z.array(ReportRow),
  /** The same columns of the period before, row by row; null where rows cannot be compared. */
  rowsBefore: z.array(ReportRow).nullable(),
});
export type Report = z.infer<typeof Report>;

const ReportQuery = z.strictObject({
  from: z.string().max(10).optional(),
  to: z.string().max(10).optional(),
  /** The mix of a report about one mix; the newest when it is left out. */
  track: z.string().max(64).optional(),
});
export type ReportQuery = z.infer<typeof ReportQuery>;

/** Who or what a figure has counted. */
export const FigureListPage = z.object({
  report: z.string(),
  figure: Figure,
  from: z.string(),
  to: z.string(),
  columns: z.array(Column),
  items: z.array(ReportRow),
  nextCursor: z.string().nullable(),
});
export type FigureListPage = z.infer<typeof FigureListPage>;

export const ATTENTION_KINDS = ['failed-ingest', 'failed-payments', 'dead-jobs'] as const;

export const Dashboard = z.object({
  asOf: z.int(),
  today: z.string(),
  week: z.object({ year: z.int(), week: z.int() }),
  /** The mixes of this week, whatever state they are in. */
  releases: z.array(
    z.object({
      id: z.string(),
      title: z.string(),
      status: z.enum(['processing', 'ready', 'failed']),
      /** Percent of the processing that is done. */
      progress: z.int(),
      failure: z.string().nullable(),
      publishAt: z.int().nullable(),
      /** `draft`, `scheduled`, `early` (subscribers hear it), `out`. */
      stage: z.enum(['draft', 'scheduled', 'early', 'out']),
      plays: z.int(),
    }),
  ),
  live: z.object({ listeners: z.int(), definition: z.string() }),
  playsToday: z.int(),
  attention: z.array(
    z.object({ kind: z.enum(ATTENTION_KINDS), count: z.int(), says: z.string(), href: z.string() }),
  ),
});
export type Dashboard = z.infer<typeof Dashboard>;

export const reportRoutes = defineRoutes({
  'GET /api/admin/dashboard': {
    summary: 'This week’s release, what is happening now, and what needs attention.',
    response: Dashboard,
    errors: ['unauthenticated', 'not_found'],
  },
  'GET /api/admin/reports/:name': {
    summary: 'A report: figures with their definitions, the period before, and rows to plot.',
    params: z.object({ name: ReportName }),
    query: ReportQuery,
    response: Report,
    errors: ['unauthenticated', 'not_found'],
  },
  'GET /api/admin/reports/:name/:figure': {
    summary: 'The list behind a figure of a report: each row is one of those that were counted.',
    params: z.object({ name: ReportName, figure: z.string().regex(/^[a-zA-Z0-9]{1,32}$/) }),
    query: ReportQuery.extend(PageQuery.shape),
    response: FigureListPage,
    errors: ['unauthenticated', 'not_found'],
  },
  'GET /api/admin/reports/:name.csv': {
    summary: 'The rows of a report as a file for spreadsheets.',
    params: z.object({ name: ReportName }),
    query: ReportQuery,
    response: 'file',
    errors: ['unauthenticated', 'not_found'],
  },
});
