import type { Column, Figure, Plot, ReportName, ReportRow } from '#contract/reports.ts';
import { listDays, type DayRange } from '#contract/rules/report-days.ts';
import type { Db } from '../../db/connect.ts';

export type ReportContext = {
  db: Db;
  now: number;
  today: string;
  timeZone: string;
  /** The mix of a report about one mix. */
  trackId: string | null;
};

/** Where a page of a list goes on: what it is ordered by, and the row itself. */
export type ListPosition = [order: string, id: string];
export type ListedRow = { row: ReportRow; position: ListPosition };

/** Everybody or everything that a figure has counted, each a row, page by page. */
export type FigureList = {
  columns: readonly Column[];
  read: (
    context: ReportContext,
    range: DayRange,
    page: { after: ListPosition | null; limit: number },
  ) => Promise<ListedRow[]>;
};

export type FigureDefinition = Pick<Figure, 'label' | 'definition' | 'unit'> &
  Partial<Pick<Figure, 'isGoodWhen'>> & {
    /** What is behind the number: a list of its own, or a report whose rows add up to it. */
    list?: FigureList;
    opens?: ReportName;
  };

export type Reading = {
  values: Record<string, number | null>;
  rows: ReportRow[];
  /** Where the report is about one thing, its name. */
  subject?: string;
};

/** A report is what it is called, what it means, and how it is read: nothing here is worked out elsewhere. */
export type ReportDefinition = {
  title: string;
  definition: string;
  plot: Plot;
  columns: readonly Column[];
  figures: Record<string, FigureDefinition>;
  /** What the period before is good for: row by row, the figures alone, or nothing. */
  compares: 'rows' | 'figures' | 'nothing';
  read: (context: ReportContext, range: DayRange) => Promise<Reading>;
};

export const row = (cells: ReportRow['cells'], href: string | null = null): ReportRow => ({
  cells,
  href,
});

export const shareOf = (part: number, whole: number): number | null =>
  whole > 0 ? part / whole : null;

export const sumOf = <T>(items: readonly T[], pick: (item: T) => number): number =>
  items.reduce((sum, item) => sum + pick(item), 0);

/** The rows that there are, by their key; days without any are empty, not missing. */
export const byKey = <R, K>(rows: readonly R[], keyOf: (row: R) => K): Map<K, R> =>
  new Map(rows.map((item) => [keyOf(item), item]));

/** A row for each day of the range, also for those of which nothing is known. */
export function rowsOfDays<R extends { day: string }>(
  range: DayRange,
  found: readonly R[],
  cellsOf: (known: Partial<R>) => ReportRow['cells'],
): ReportRow[] {
  const known = byKey(found, ({ day }) => day);
  return listDays(range).map((day) => row([day, ...cellsOf(known.get(day) ?? {})]));
}
