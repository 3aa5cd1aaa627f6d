import { queryOptions } from '@tanstack/react-query';
import { call } from '#web/lib/api.ts';

export const outboxQuery = queryOptions({
  queryKey: ['/api/admin/outbox'],
  queryFn: ({ signal }) => call('GET /api/admin/outbox', { query: {} }, { signal }),
});
