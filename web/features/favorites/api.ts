import { mutationOptions, queryOptions, type QueryClient } from '@tanstack/react-query';
import type { Track } from '#contract/tracks.ts';
import { call } from '#web/lib/api.ts';
import { showToast } from '#web/lib/toasts.ts';

export const FAVORITES_KEY = ['/api/favorites'] as const;

type Status = { isFavorite: boolean };

/** The user is part of the key: another person at the same machine has other favorites. */
export const favoriteQuery = (trackId: string, userId: string | undefined) =>
  queryOptions({
    queryKey: [`/api/tracks/${trackId}/favorite`, userId],
    enabled: userId !== undefined,
    queryFn: async ({ signal }): Promise<Status> => {
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

const words = {
  added: { title: 'Added to favorites', says: 'has been added to your favorites' },
  removed: { title: 'Removed from favorites', says: 'has been removed from your favorites' },
};

/** Shows the change at once and takes it back when the server refuses it. */
export function favoriteMutation(client: QueryClient, track: Track, userId: string | undefined) {
  const { queryKey } = favoriteQuery(track.id, userId);
  const mutationKey = ['favorite', track.id, userId];
  return mutationOptions({
    mutationKey,
    // Presses in quick succession reach the server in their order.
    scope: { id: mutationKey.join(' ') },
    mutationFn: ({ isFavorite }: Status) => {
      const input = { params: { id: track.id } };
      return isFavorite
        ? call('POST /api/tracks/:id/favorite', input)
        : call('DELETE /api/tracks/:id/favorite', input);
    },
    onMutate: async (wanted) => {
      await client.cancelQueries({ queryKey });
      const before = client.getQueryData(queryKey);
      client.setQueryData(queryKey, wanted);
      return { before };
    },
    onSuccess: (_answer, { isFavorite }) => {
      const { title, says } = isFavorite ? words.added : words.removed;
      showToast({ title, description: `${track.title} ${says}` });
    },
    onError: (_error, { isFavorite }, kept) => {
      client.setQueryData(queryKey, kept?.before ?? { isFavorite: !isFavorite });
      showToast({
        title: 'Error',
        description: 'Failed to update favorites. Please try again.',
        variant: 'destructive',
      });
    },
    onSettled: async () => {
      // While another press waits, what it shows is newer than any answer.
      if (client.isMutating({ mutationKey }) === 1) await client.invalidateQueries({ queryKey });
      await client.invalidateQueries({ queryKey: FAVORITES_KEY });
    },
  });
}
