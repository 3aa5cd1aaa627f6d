import { queryOptions } from '@tanstack/react-query';
import type { Chart } from '#contract/charts.ts';
import { buildPath } from '#web/lib/api/api.ts';
import { retryOnce } from '#web/lib/api/query-client.ts';

/** The live chart, or the archived chart of a week. */
export const chartQuery = (week: string | null) =>
  queryOptions<Chart>({
    queryKey: [buildPath('/api/top-20', {}, { week: week ?? undefined })],
    retry: retryOnce,
  });
