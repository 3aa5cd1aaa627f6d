import { queryOptions, type QueryClient } from '@tanstack/react-query';
import type { Track } from '#contract/tracks.ts';
import { call } from '#web/lib/api.ts';

export const FAVORITES_KEY = ['/api/favorites'] as const;

export type FavoriteStatus = { isFavorite: boolean };

/** The user is part of the key: another person at the same machine has other favorites. */
export const favoriteQuery = (trackId: string, userId: string | undefined) =>
  queryOptions({
    queryKey: [`/api/tracks/${trackId}/favorite`, userId],
    enabled: userId !== undefined,
    queryFn: async ({ signal }): Promise<FavoriteStatus> => {
      try {
        return await call('GET /api/tracks/:id/favorite', { params: { id: trackId } }, { signal });
      } catch (error) {
        if (!signal.aborted) console.error('Could not read the favorite status', error);
        throw error;
      }
    },
  });

/** What a list says of its tracks, unless something newer is known or about to be. */
export function keepFavoriteMarks(
  client: QueryClient,
  userId: string,
  tracks: readonly Track[],
  updatedAt: number,
): void {
  for (const { id, isFavorite } of tracks) {
    const { queryKey } = favoriteQuery(id, userId);
    const known = client.getQueryState(queryKey)?.dataUpdatedAt ?? 0;
    const isPressed = client.isMutating({ mutationKey: ['favorite', id, userId] }) > 0;
    if (known < updatedAt && !isPressed)
      client.setQueryData(queryKey, { isFavorite }, { updatedAt });
  }
}
