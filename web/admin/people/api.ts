import type { QueryClient } from '@tanstack/react-query';
import type { SubscriberFilter } from '#contract/admin/subscribers.ts';
import { buildPath } from '#web/lib/api/api.ts';
import { pagedQuery, refreshPaths } from '#web/lib/api/api-query.ts';

export const subscriberPagesQuery = (filter: SubscriberFilter, q: string) =>
  pagedQuery('GET /api/admin/subscribers', { query: { filter, limit: 50, ...(q && { q }) } });

/** The members of the list as CSV, which the import of another site reads. */
export const subscribersCsvPath = (filter: SubscriberFilter, q: string): string =>
  buildPath('/api/admin/subscribers.csv', {}, { filter, ...(q && { q }) });

/** Reloads everything that shows a user; the member's page also lists what administrators did. */
export const refreshSubscriber = (client: QueryClient) =>
  refreshPaths(client, '/api/admin/subscribers', '/api/admin/users', '/api/admin/audit');
