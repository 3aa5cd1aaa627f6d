import { apiQuery } from '#web/lib/api/api-query.ts';

export const siteSettingsQuery = {
  ...apiQuery('GET /api/admin/settings'),
  // Don't replace what the administrator is typing.
  refetchOnWindowFocus: false,
};
