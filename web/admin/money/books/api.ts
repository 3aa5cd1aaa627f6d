import { mutationOptions, type QueryClient } from '@tanstack/react-query';
import type { BookSheet } from '#contract/admin/books.ts';
import { buildPath, call } from '#web/lib/api/api.ts';
import { apiQuery } from '#web/lib/api/api-query.ts';

export const monthsQuery = apiQuery('GET /api/admin/books');

/** Where documents are booked from now on; what is booked stays. */
export const closeMutation = (client: QueryClient) =>
  mutationOptions({
    mutationFn: (month: string) => call('POST /api/admin/books/close', { body: { month } }),
    onSuccess: (months) => client.setQueryData(monthsQuery.queryKey, months),
    retry: false,
  });

export const reopenMutation = (client: QueryClient) =>
  mutationOptions({
    mutationFn: (body: { month: string; reason: string }) =>
      call('POST /api/admin/books/reopen', { body }),
    onSuccess: (months) => client.setQueryData(monthsQuery.queryKey, months),
    retry: false,
  });

export const sheetPath = (period: string, sheet: BookSheet): string =>
  buildPath('/api/admin/books/:period/:sheet.csv', { period, sheet });
