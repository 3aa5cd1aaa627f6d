import { useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '#web/lib/api/api.ts';
import { apiQuery, pagedQuery, refreshPaths } from '#web/lib/api/api-query.ts';

export const useMarks = (id: string) =>
  useQuery(apiQuery('GET /api/tracks/:id/moments/marks', { params: { id } }));

const PAGE_SIZE = 50;

/** The lines of a track from a second on. */
export const momentPagesQuery = (id: string, from: number) =>
  pagedQuery('GET /api/tracks/:id/moments', {
    params: { id },
    query: { limit: PAGE_SIZE, ...(from > 0 && { from }) },
  });

/** What a user does with their own lines on a track. */
export function useMomentActions(trackId: string) {
  const client = useQueryClient();
  const refresh = () => refreshPaths(client, `/api/tracks/${trackId}/moments`, '/api/me/moments');
  const then = async <T>(done: Promise<T>): Promise<T> => {
    const result = await done;
    await refresh();
    return result;
  };
  return {
    leave: (at: number, text: string) =>
      then(call('POST /api/tracks/:id/moments', { params: { id: trackId }, body: { at, text } })),
    change: (id: string, text: string) =>
      then(call('PATCH /api/moments/:id', { params: { id }, body: { text } })),
    remove: (id: string) => then(call('DELETE /api/moments/:id', { params: { id } })),
  };
}
