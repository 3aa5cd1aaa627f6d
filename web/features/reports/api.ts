import { queryOptions } from '@tanstack/react-query';
import type { ReportName } from '#contract/reports.ts';
import type { DayRange } from '#contract/rules/report-days.ts';
import { buildPath, call } from '#web/lib/api.ts';

/** Looked at again while somebody looks: figures of the day move by the minute. */
const LIVE_MS = 30_000;

export type ReportChoice = Partial<DayRange> & { track?: string };

export const dashboardQuery = queryOptions({
  queryKey: ['/api/admin/dashboard'],
  queryFn: ({ signal }) => call('GET /api/admin/dashboard', undefined, { signal }),
  refetchInterval: LIVE_MS,
});

export const reportQuery = (name: ReportName, choice: ReportChoice) =>
  queryOptions({
    queryKey: ['/api/admin/reports', name, choice],
    queryFn: ({ signal }) =>
      call('GET /api/admin/reports/:name', { params: { name }, query: choice }, { signal }),
    ...(name === 'live' && { refetchInterval: LIVE_MS }),
  });

export const csvPath = (name: ReportName, choice: ReportChoice): string =>
  buildPath('/api/admin/reports/:name.csv', { name }, choice);
