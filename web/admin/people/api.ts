import type { QueryClient } from '@tanstack/react-query';
import type { SubscriberFilter } from '#contract/admin/subscribers.ts';
import { buildPath } from '#web/lib/api/api.ts';
import { apiQuery, pagedQuery } from '#web/lib/api/api-query.ts';
import { retryOnce } from '#web/lib/api/query-client.ts';

const SUBSCRIBERS_KEY = '/api/admin/subscribers';
const ACCESS_KEY = '/api/admin/users/access';

export const subscriberPagesQuery = (filter: SubscriberFilter, q: string) => ({
  ...pagedQuery([SUBSCRIBERS_KEY, 'list', filter, q], 'GET /api/admin/subscribers', {
    query: { filter, limit: 50, ...(q && { q }) },
  }),
  retry: retryOnce,
});

/** The members of the list as CSV, which the import of another site reads. */
export const subscribersCsvPath = (filter: SubscriberFilter, q: string): string =>
  buildPath('/api/admin/subscribers.csv', {}, { filter, ...(q && { q }) });

export const subscriberQuery = (id: string) => ({
  ...apiQuery([SUBSCRIBERS_KEY, 'one', id], 'GET /api/admin/subscribers/:id', { params: { id } }),
  retry: retryOnce,
});

export const playsQuery = (id: string) => ({
  ...pagedQuery([SUBSCRIBERS_KEY, 'plays', id], 'GET /api/admin/subscribers/:id/plays', {
    params: { id },
    query: { limit: 10 },
  }),
  retry: retryOnce,
});

export const invoicesQuery = (id: string) => ({
  ...pagedQuery([SUBSCRIBERS_KEY, 'invoices', id], 'GET /api/admin/subscribers/:id/invoices', {
    params: { id },
    query: { limit: 20 },
  }),
  retry: retryOnce,
});

/** Whether and why the user had access at a time, with the ledger up to it. */
export const accessQuery = (id: string, at: number | null) => ({
  ...apiQuery([ACCESS_KEY, id, at], 'GET /api/admin/users/:id/access', {
    params: { id },
    query: at === null ? {} : { at },
  }),
  retry: retryOnce,
});

/** Reloads everything that shows this user. */
export const refreshSubscriber = (client: QueryClient) =>
  Promise.all([
    client.invalidateQueries({ queryKey: [SUBSCRIBERS_KEY] }),
    client.invalidateQueries({ queryKey: [ACCESS_KEY] }),
    // The member's page lists what administrators did.
    client.invalidateQueries({ queryKey: ['/api/admin/audit'] }),
  ]);
