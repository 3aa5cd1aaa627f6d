import type { ReportName } from '#contract/admin/reports.ts';
import type { DayRange } from '#contract/rules/report-days.ts';
import { buildPath } from '#web/lib/api/api.ts';
import { useRefreshOn } from '#web/lib/api/use-refresh-on.ts';
import { apiQuery, pagedQuery } from '#web/lib/api/api-query.ts';

export type ReportChoice = Partial<DayRange> & { track?: string };

const DASHBOARD_KEY = '/api/admin/dashboard';
const REPORTS_KEY = '/api/admin/reports';
const LIVE_REPORT_KEY = '/api/admin/reports/live';

/** Refreshes the live figures whenever the server says they have changed. */
export function useLiveFigures(): void {
  useRefreshOn('admin:pulse', DASHBOARD_KEY);
  useRefreshOn('admin:pulse', LIVE_REPORT_KEY);
}

export const dashboardQuery = apiQuery([DASHBOARD_KEY], 'GET /api/admin/dashboard');

const keyOf = (name: ReportName) => (name === 'live' ? LIVE_REPORT_KEY : REPORTS_KEY);

export const reportQuery = (name: ReportName, choice: ReportChoice) =>
  apiQuery([keyOf(name), name, choice], 'GET /api/admin/reports/:name', {
    params: { name },
    query: choice,
  });

export const csvPath = (name: ReportName, choice: ReportChoice): string =>
  buildPath('/api/admin/reports/:name.csv', { name }, choice);

export type FigureChoice = ReportChoice & { report: ReportName; figure: string };

export const figureListQuery = ({ report: name, figure, ...choice }: FigureChoice) =>
  pagedQuery([keyOf(name), 'list', name, figure, choice], 'GET /api/admin/reports/:name/:figure', {
    params: { name, figure },
    query: { ...choice, limit: 50 },
  });
