import type { BookSheet } from '#contract/admin/books.ts';
import { buildPath } from '#web/lib/api.ts';
import { apiQuery } from '#web/lib/api-query.ts';
import { retryOnce } from '#web/lib/query-client.ts';

const BOOKS_KEY = '/api/admin/books';

export const monthsQuery = { ...apiQuery([BOOKS_KEY], 'GET /api/admin/books'), retry: retryOnce };

export const totalsQuery = (month: string) => ({
  ...apiQuery([BOOKS_KEY, month], 'GET /api/admin/books/:month', { params: { month } }),
  retry: retryOnce,
});

/** The provider may be slow or down, so the page asks separately. */
export const payoutsQuery = (month: string) => ({
  ...apiQuery([BOOKS_KEY, month, 'payouts'], 'GET /api/admin/books/:month/payouts', {
    params: { month },
  }),
  retry: retryOnce,
});

export const sheetPath = (month: string, sheet: BookSheet): string =>
  buildPath('/api/admin/books/:month/:sheet.csv', { month, sheet });

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
