import { z } from 'zod';
import { PageQuery } from '../paging.ts';
import { defineRoutes } from '../route.ts';
import { reportNames } from './report-groups.ts';

export const ReportName = z.enum(reportNames, { error: 'Unknown report.' });
export type ReportName = z.infer<typeof ReportName>;

/** A plain count, cents, or a share from 0 to 1. */
export const Unit = z.enum(['count', 'cents', 'share']);
export type Unit = z.infer<typeof Unit>;

export const Figure = z.object({
  key: z.string(),
  label: z.string(),
  /** What the figure counts, in a sentence. */
  definition: z.string(),
  unit: Unit,
  /** Null where there is none, such as a share of zero. */
  value: z.number().nullable(),
  /** The value of the previous period; null without one. */
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
  /** A time is in milliseconds. */
  kind: z.enum([
    'day',
    'time',
    'week',
    'month',
    'weekday',
    'hour',
    'percent',
    'text',
    ...Unit.options,
  ]),
  /** How days are combined into weeks or months. */
  aggregate: z.enum(['sum', 'last', 'mean']).optional(),
});
export type Column = z.infer<typeof Column>;

export const ReportRow = z.object({
  cells: z.array(z.union([z.string(), z.number(), z.null()])),
  href: z.string().nullable(),
});
export type ReportRow = z.infer<typeof ReportRow>;

/** How to draw the rows; the first column is the horizontal axis. */
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
  /** Days in the site's time zone, both inclusive. */
  from: z.string(),
  to: z.string(),
  /** The period to compare with; null for a report without one. */
  previousRange: z.object({ from: z.string(), to: z.string() }).nullable(),
  plot: Plot,
  figures: z.array(Figure),
  columns: z.array(Column),
  rows: z.array(ReportRow),
  /** The rows of the previous period, in the same columns; null where rows can’t be compared. */
  previousRows: z.array(ReportRow).nullable(),
});
export type Report = z.infer<typeof Report>;

const ReportQuery = z.strictObject({
  from: z.string().max(10).optional(),
  to: z.string().max(10).optional(),
  /** For a report about one track; the newest track if omitted. */
  track: z.string().max(64).optional(),
});
export type ReportQuery = z.infer<typeof ReportQuery>;

/** What a figure counted. */
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

const FigureParams = z.object({
  name: ReportName,
  figure: z.string().regex(/^[a-zA-Z0-9]{1,32}$/),
});

export const reportRoutes = defineRoutes({
  'GET /api/admin/reports/:name': {
    summary: 'A report: figures with their definitions, the previous period, and rows to plot.',
    params: z.object({ name: ReportName }),
    query: ReportQuery,
    response: Report,
    errors: ['unauthenticated', 'not_found'],
  },
  'GET /api/admin/reports/:name/:figure': {
    summary: 'The list behind a report’s figure, with one row per counted item.',
    params: FigureParams,
    query: ReportQuery.extend(PageQuery.shape),
    response: FigureListPage,
    errors: ['unauthenticated', 'not_found'],
  },
  'GET /api/admin/reports/:name/:figure.csv': {
    summary: 'The list behind a report’s figure as CSV. It names people, so the audit log has it.',
    params: FigureParams,
    query: ReportQuery,
    response: 'file',
    errors: ['unauthenticated', 'not_found'],
  },
  'GET /api/admin/reports/:name.csv': {
    summary: 'The rows of a report as CSV.',
    params: z.object({ name: ReportName }),
    query: ReportQuery,
    response: 'file',
    errors: ['unauthenticated', 'not_found'],
  },
});
