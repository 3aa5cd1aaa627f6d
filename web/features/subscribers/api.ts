import { infiniteQueryOptions, queryOptions, type QueryClient } from '@tanstack/react-query';
import type { SubscriberFilter } from '#contract/admin/subscribers.ts';
import { ApiError, call } from '#web/lib/api.ts';

export const SUBSCRIBERS_KEY = '/api/admin/subscribers';
const ACCESS_KEY = '/api/admin/users/access';

/** Retrying a 4xx response is pointless. */
const retry = (failures: number, error: Error): boolean =>
  failures < 1 && !(error instanceof ApiError && error.status < 500);

export const subscriberPagesQuery = (filter: SubscriberFilter, q: string) =>
  infiniteQueryOptions({
    queryKey: [SUBSCRIBERS_KEY, 'list', filter, q],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: cursor, signal }) =>
      call(
        'GET /api/admin/subscribers',
        { query: { filter, limit: 50, ...(q && { q }), ...(cursor && { cursor }) } },
        { signal },
      ),
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    retry,
  });

export const subscriberQuery = (id: string) =>
  queryOptions({
    queryKey: [SUBSCRIBERS_KEY, 'one', id],
    queryFn: ({ signal }) => call('GET /api/admin/subscribers/:id', { params: { id } }, { signal }),
    retry,
  });

export const playsQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: [SUBSCRIBERS_KEY, 'plays', id],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: cursor, signal }) =>
      call(
        'GET /api/admin/subscribers/:id/plays',
        { params: { id }, query: { limit: 10, ...(cursor && { cursor }) } },
        { signal },
      ),
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    retry,
  });

export const invoicesQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: [SUBSCRIBERS_KEY, 'invoices', id],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: cursor, signal }) =>
      call(
        'GET /api/admin/subscribers/:id/invoices',
        { params: { id }, query: { limit: 20, ...(cursor && { cursor }) } },
        { signal },
      ),
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    retry,
  });

/** Whether and why the user had access at a time, with the ledger up to it. */
export const accessQuery = (id: string, at: number | null) =>
  queryOptions({
    queryKey: [ACCESS_KEY, id, at],
    queryFn: ({ signal }) =>
      call(
        'GET /api/admin/users/:id/access',
        { params: { id }, query: at === null ? {} : { at } },
        { signal },
      ),
    retry,
  });

/** Reloads everything that shows this user. */
export const refreshSubscriber = (client: QueryClient) =>
  Promise.all([
    client.invalidateQueries({ queryKey: [SUBSCRIBERS_KEY] }),
    client.invalidateQueries({ queryKey: [ACCESS_KEY] }),
  ]);
