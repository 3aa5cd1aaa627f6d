import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { ReportName } from '#contract/admin/reports.ts';
import type { DayRange } from '#contract/rules/report-days.ts';
import { buildPath, call } from '#web/lib/api.ts';
import { useRefreshOn } from '#web/lib/use-refresh-on.ts';

export type ReportChoice = Partial<DayRange> & { track?: string };

const DASHBOARD_KEY = '/api/admin/dashboard';
const REPORTS_KEY = '/api/admin/reports';
const LIVE_REPORT_KEY = '/api/admin/reports/live';

/** Refreshes the live figures whenever the server says they have changed. */
export function useLiveFigures(): void {
  useRefreshOn('admin:pulse', DASHBOARD_KEY);
  useRefreshOn('admin:pulse', LIVE_REPORT_KEY);
}

export const dashboardQuery = queryOptions({
  queryKey: [DASHBOARD_KEY],
  queryFn: ({ signal }) => call('GET /api/admin/dashboard', undefined, { signal }),
});

const keyOf = (name: ReportName) => (name === 'live' ? LIVE_REPORT_KEY : REPORTS_KEY);

export const reportQuery = (name: ReportName, choice: ReportChoice) =>
  queryOptions({
    queryKey: [keyOf(name), name, choice],
    queryFn: ({ signal }) =>
      call('GET /api/admin/reports/:name', { params: { name }, query: choice }, { signal }),
  });

export const csvPath = (name: ReportName, choice: ReportChoice): string =>
  buildPath('/api/admin/reports/:name.csv', { name }, choice);

export type FigureChoice = ReportChoice & { report: ReportName; figure: string };

export const figureListQuery = ({ report: name, figure, ...choice }: FigureChoice) =>
  infiniteQueryOptions({
    queryKey: [keyOf(name), 'list', name, figure, choice],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: cursor, signal }) =>
      call(
        'GET /api/admin/reports/:name/:figure',
        { params: { name, figure }, query: { ...choice, limit: 50, ...(cursor && { cursor }) } },
        { signal },
      ),
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  });
