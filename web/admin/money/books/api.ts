import { mutationOptions, type QueryClient } from '@tanstack/react-query';
import type { BookSheet } from '#contract/admin/books.ts';
import { buildPath, call } from '#web/lib/api/api.ts';
import { apiQuery } from '#web/lib/api/api-query.ts';
import { retryOnce } from '#web/lib/api/query-client.ts';

const BOOKS_KEY = '/api/admin/books';

export const monthsQuery = { ...apiQuery([BOOKS_KEY], 'GET /api/admin/books'), retry: retryOnce };

/** Where documents are booked from now on; what is booked stays. */
export const closeMutation = (client: QueryClient) =>
  mutationOptions({
    mutationFn: (month: string) => call('POST /api/admin/books/close', { body: { month } }),
    onSuccess: (months) => client.setQueryData(monthsQuery.queryKey, months),
    retry: false,
  });

export const reopenMutation = (client: QueryClient) =>
  mutationOptions({
    mutationFn: (body: { month: string; because: string }) =>
      call('POST /api/admin/books/reopen', { body }),
    onSuccess: (months) => client.setQueryData(monthsQuery.queryKey, months),
    retry: false,
  });

export const totalsQuery = (period: string) => ({
  ...apiQuery([BOOKS_KEY, period], 'GET /api/admin/books/:period', { params: { period } }),
  retry: retryOnce,
});

/** The provider may be slow or down, so the page asks separately. */
export const payoutsQuery = (period: string) => ({
  ...apiQuery([BOOKS_KEY, period, 'payouts'], 'GET /api/admin/books/:period/payouts', {
    params: { period },
  }),
  retry: retryOnce,
});

export const sheetPath = (period: string, sheet: BookSheet): string =>
  buildPath('/api/admin/books/:period/:sheet.csv', { period, sheet });

export const memberInvoiceQuery = (id: string) => ({
  ...apiQuery([`/api/admin/invoices/${id}`], 'GET /api/admin/invoices/:id', { params: { id } }),
  retry: retryOnce,
});

export const memberCreditNoteQuery = (id: string) => ({
  ...apiQuery([`/api/admin/credit-notes/${id}`], 'GET /api/admin/credit-notes/:id', {
    params: { id },
  }),
  retry: retryOnce,
});
