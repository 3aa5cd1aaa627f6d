import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { MomentBan } from '#contract/admin/moments.ts';
import { call } from '#web/lib/api/api.ts';
import { apiQuery, pagedQuery, refreshPaths } from '#web/lib/api/api-query.ts';
import { showErrorToast, showToast } from '#web/lib/store/toasts.ts';

/** Part of a name or title, or those of one member or one mix. */
export type MomentFilter = { q?: string; user?: string; track?: string };

export const momentPagesQuery = (filter: MomentFilter) =>
  pagedQuery('GET /api/admin/moments', { query: { limit: 50, ...filter } });

export const authorQuery = (id: string) =>
  apiQuery('GET /api/admin/moments/authors/:id', { params: { id } });

export const momentTrackQuery = (id: string) =>
  apiQuery('GET /api/admin/moments/tracks/:id', { params: { id } });

/** Every row shows what applies to its member and its mix. */
function useAction<Input>(run: (input: Input) => Promise<unknown>, say: (input: Input) => string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: run,
    retry: false,
    onSuccess: async (_result, input) => {
      await refreshPaths(client, '/api/admin/moments');
      showToast({ title: say(input) });
    },
    onError: (error) => showErrorToast(error, 'Check your connection and try again.'),
  });
}

export const useHide = (id: string) =>
  useAction(
    (isHidden: boolean) =>
      call('PUT /api/admin/moments/:id/hidden', { params: { id }, body: { isHidden } }),
    (isHidden) => (isHidden ? 'Hidden' : 'Members see it again'),
  );

const BAN_WORDS = {
  none: 'can leave moments again',
  writing: 'can’t leave moments any more',
  lines: 'can’t leave moments, and nobody sees the old ones',
};

export const useBan = (id: string, username: string) =>
  useAction(
    (ban: MomentBan) =>
      call('PUT /api/admin/moments/authors/:id', { params: { id }, body: { ban } }),
    (ban) => `${username} ${BAN_WORDS[ban ?? 'none']}`,
  );

export const useTurnOff = (id: string) =>
  useAction(
    (isOff: boolean) =>
      call('PUT /api/admin/moments/tracks/:id', { params: { id }, body: { isOff } }),
    (isOff) => (isOff ? 'Moments are off for this mix' : 'Moments are on for this mix'),
  );
