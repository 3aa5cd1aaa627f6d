import { queryOptions } from '@tanstack/react-query';
import { call } from '#web/lib/api.ts';

export const siteSettingsQuery = queryOptions({
  queryKey: ['/api/admin/settings'],
  queryFn: ({ signal }) => call('GET /api/admin/settings', undefined, { signal }),
  // Don't replace what the administrator is typing.
  refetchOnWindowFocus: false,
});
