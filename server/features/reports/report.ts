import type { Column, Figure, Plot, ReportName, ReportRow } from '#contract/admin/reports.ts';
import { startOfDay } from '#contract/rules/days.ts';
import { type DayRange, addDays, listDays } from '#contract/rules/report-days.ts';
import type { Db } from '../../db/connect.ts';
import { AppError } from '../../http/route/app-error.ts';

export type ReportContext = {
  db: Db;
  now: number;
  today: string;
  timeZone: string;
  /** Only for a report about one track. */
  trackId: string | null;
};

/** Where the next page of a list starts: the sort value and the ID of the last row. */
export type ListCursor = [order: string, id: string];

export type ListedRow = { row: ReportRow; cursor: ListCursor };

/** What a figure counted, one row each, page by page. */
export type FigureList = {
  columns: readonly Column[];
  read: (
    context: ReportContext,
    range: DayRange,
    page: { after: ListCursor | null; limit: number },
  ) => Promise<ListedRow[]>;
};

export type FigureDefinition = Pick<Figure, 'label' | 'definition' | 'unit'> &
  Partial<Pick<Figure, 'isGoodWhen'>> & {
    /** What the number links to: a list of its own, or a report whose rows add up to it. */
    list?: FigureList;
    opensReport?: ReportName;
  };

export type ReportData = {
  values: Record<string, number | null>;
  rows: ReportRow[];
  /** After those of the definition: one per part of the range. */
  moreColumns?: Column[];
  /** The name of the track, for a report about one track. */
  subject?: string;
};

/** Everything about a report: its title, what it means, and how to read it from the database. */
export type ReportDefinition = {
  title: string;
  definition: string;
  plot: Plot;
  columns: readonly Column[];
  figures: Record<string, FigureDefinition>;
  /** What is compared with the previous period: every row, the figures only, or nothing. */
  compares: 'rows' | 'figures' | 'nothing';
  read: (context: ReportContext, range: DayRange) => Promise<ReportData>;
};

export const row = (cells: ReportRow['cells'], href: string | null = null): ReportRow => ({
  cells,
  href,
});

export const shareOf = (part: number, whole: number): number | null =>
  whole > 0 ? part / whole : null;

export const sumOf = <T>(items: readonly T[], pick: (item: T) => number): number =>
  items.reduce((sum, item) => sum + pick(item), 0);

export const byKey = <R, K>(rows: readonly R[], keyOf: (row: R) => K): Map<K, R> =>
  new Map(rows.map((item) => [keyOf(item), item]));

/** One row per day of the range, including days without data. */
export function buildDayRows<R extends { day: string }>(
  range: DayRange,
  found: readonly R[],
  cellsOf: (known: Partial<R>) => ReportRow['cells'],
): ReportRow[] {
  const known = byKey(found, ({ day }) => day);
  return listDays(range).map((day) => row([day, ...cellsOf(known.get(day) ?? {})]));
}

/** Start and end of a list that is ordered by time, and the row after which a page starts. */
export type TimeRange = { from: number; to: number; after: [at: number, id: string] | null };

function parseTimeCursor([at, id]: ListCursor): [number, string] {
  if (!/^\d{1,15}$/.test(at)) throw new AppError('validation_failed');
  return [Number(at), id];
}

export const toTimeRange = (
  { timeZone }: Pick<ReportContext, 'timeZone'>,
  range: DayRange,
  after: ListCursor | null = null,
): TimeRange => ({
  from: startOfDay(range.from, timeZone),
  to: startOfDay(addDays(range.to, 1), timeZone),
  after: after && parseTimeCursor(after),
});
