import { queryOptions, type QueryClient } from '@tanstack/react-query';
import type { Track } from '#contract/tracks.ts';
import { buildPath, call } from '#web/lib/api/api.ts';

export const FAVORITES_KEY = ['/api/favorites'] as const;

export type FavoriteStatus = { isFavorite: boolean };

/**
 * No `apiQuery`: the user is part of the key, because people who share a computer have different
 * favorites, and each failure is logged.
 */
export const favoriteQuery = (trackId: string, userId: string | undefined) =>
  queryOptions({
    queryKey: [buildPath('/api/tracks/:id/favorite', { id: trackId }), userId],
    enabled: userId !== undefined,
    // Rows that show it have no query of their own.
    gcTime: Infinity,
    queryFn: async ({ signal }): Promise<FavoriteStatus> => {
      try {
        return await call('GET /api/tracks/:id/favorite', { params: { id: trackId } }, { signal });
      } catch (error) {
        if (!signal.aborted) console.error('Couldn’t load the favorite status', error);
        throw error;
      }
    },
  });

/**
 * Brings the hearts that are or were on a page up to date with a list, unless they have newer data
 * or a change is in progress. Other rows start with what came with their track.
 */
export function updateFavorites(
  client: QueryClient,
  userId: string,
  tracks: readonly Track[],
  updatedAt: number,
): void {
  for (const { id, isFavorite } of tracks) {
    const { queryKey } = favoriteQuery(id, userId);
    const cached = client.getQueryState(queryKey);
    if (!cached || cached.dataUpdatedAt >= updatedAt) continue;
    if (client.isMutating({ mutationKey: ['favorite', id, userId] }) === 0)
      client.setQueryData(queryKey, { isFavorite }, { updatedAt });
  }
}
