import { mutationOptions, type QueryClient } from '@tanstack/react-query';
import type { YearShare } from '#contract/years.ts';
import { call } from '#web/lib/api/api.ts';
import { apiQuery } from '#web/lib/api/api-query.ts';
import { retryOnce } from '#web/lib/api/query-client.ts';
import { showErrorToast } from '#web/lib/store/toasts.ts';

const byYear = (year: number) => ({ params: { year: String(year) } });

export const yearQuery = (year: number) => apiQuery('GET /api/years/:year', byYear(year));

/** Null turns the public picture off. */
export const shareYearMutation = (client: QueryClient, year: number) =>
  mutationOptions({
    retry: retryOnce,
    mutationFn: async (choice: { hasName: boolean } | null): Promise<YearShare> => {
      if (choice) return call('PUT /api/years/:year/share', { ...byYear(year), body: choice });
      await call('DELETE /api/years/:year/share', byYear(year));
      return null;
    },
    onSuccess: async (share) => {
      const { queryKey } = yearQuery(year);
      await client.cancelQueries({ queryKey });
      client.setQueryData(queryKey, (view) => view && { ...view, share });
    },
    onError: (error) => showErrorToast(error, 'Failed to update the link. Please try again.'),
  });
