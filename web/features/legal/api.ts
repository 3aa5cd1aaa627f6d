import { mutationOptions, type QueryClient } from '@tanstack/react-query';
import type { LegalPageName } from '#contract/legal-pages.ts';
import { apiQuery } from '#web/lib/api/api-query.ts';
import { call } from '#web/lib/api/api.ts';
import { currentUserQuery } from '#web/lib/api/current-user.ts';

export const legalPageQuery = (page: LegalPageName, version: number | null) =>
  apiQuery([`/api/legal/${page}`, version], 'GET /api/legal/:page', {
    params: { page },
    query: { ...(version !== null && { version }) },
  });

export const legalDraftQuery = (page: LegalPageName) => ({
  ...apiQuery([`/api/admin/legal/${page}`], 'GET /api/admin/legal/:page', { params: { page } }),
  // Don't replace what the administrator is typing.
  refetchOnWindowFocus: false,
});

export const publishMutation = (client: QueryClient, page: LegalPageName) =>
  mutationOptions({
    mutationFn: (body: { version: number; text: string }) =>
      call('POST /api/admin/legal/:page', { params: { page }, body }),
    onSuccess: async (draft) => {
      client.setQueryData(legalDraftQuery(page).queryKey, draft);
      await client.invalidateQueries({ queryKey: [`/api/legal/${page}`] });
    },
    retry: false,
  });

export const previewMutation = (page: LegalPageName) =>
  mutationOptions({
    mutationFn: (text: string) =>
      call('POST /api/admin/legal/:page/preview', { params: { page }, body: { text } }),
  });

export const changesSeenMutation = (client: QueryClient) =>
  mutationOptions({
    mutationFn: () => call('POST /api/legal/changes/seen'),
    onSuccess: () => client.invalidateQueries({ queryKey: currentUserQuery.queryKey }),
  });
