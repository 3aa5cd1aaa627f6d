import type { ReportName } from '#contract/admin/reports.ts';
import type { DayRange } from '#contract/rules/report-days.ts';
import { buildPath } from '#web/lib/api/api.ts';
import { useRefreshOn } from '#web/lib/api/use-refresh-on.ts';
import { apiQuery, pagedQuery } from '#web/lib/api/api-query.ts';

export type ReportChoice = Partial<DayRange> & { track?: string };

/** Refreshes the live listeners whenever the server says they have changed. */
export const useLiveFigures = (): void => useRefreshOn('admin:pulse', '/api/admin/reports/live');

export const reportQuery = (name: ReportName, choice: ReportChoice) =>
  apiQuery('GET /api/admin/reports/:name', { params: { name }, query: choice });

export const csvPath = (name: ReportName, choice: ReportChoice): string =>
  buildPath('/api/admin/reports/:name.csv', { name }, choice);

export const listCsvPath = ({ report: name, figure, ...choice }: FigureChoice): string =>
  buildPath('/api/admin/reports/:name/:figure.csv', { name, figure }, choice);

export type FigureChoice = ReportChoice & { report: ReportName; figure: string };

export const figureListQuery = ({ report: name, figure, ...choice }: FigureChoice) =>
  pagedQuery('GET /api/admin/reports/:name/:figure', {
    params: { name, figure },
    query: { ...choice, limit: 50 },
  });

export const heardQuery = (trackId: string, range: DayRange) =>
  apiQuery('GET /api/admin/tracks/:id/heard', { params: { id: trackId }, query: range });
