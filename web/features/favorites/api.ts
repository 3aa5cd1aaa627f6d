import {
  mutationOptions,
  queryOptions,
  type InfiniteData,
  type QueryClient,
} from '@tanstack/react-query';
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

type Lists = InfiniteData<{ items: Track[] }>;

/** The list of favorites without a track; the same list where it was not in it. */
export function withoutTrack(lists: Lists | undefined, trackId: string): Lists | undefined {
  const isIn = lists?.pages.some(({ items }) => items.some(({ id }) => id === trackId));
  if (!lists || !isIn) return lists;
  const pages = lists.pages.map((page) => ({
    ...page,
    items: page.items.filter(({ id }) => id !== trackId),
  }));
  return { ...lists, pages };
}

/** Shows the change at once and takes it back when the server refuses it. */
export function favoriteMutation(client: QueryClient, track: Track, userId: string | undefined) {
  const { queryKey } = favoriteQuery(track.id, userId);
  const mutationKey = ['favorite', track.id, userId];
  const options = mutationOptions({
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
      await Promise.all([
        client.cancelQueries({ queryKey }),
        client.cancelQueries({ queryKey: FAVORITES_KEY }),
      ]);
      const before = client.getQueryData(queryKey);
      const lists = client.getQueriesData<Lists>({ queryKey: FAVORITES_KEY });
      client.setQueryData(queryKey, wanted);
      if (!wanted.isFavorite)
        client.setQueriesData<Lists>({ queryKey: FAVORITES_KEY }, (list) =>
          withoutTrack(list, track.id),
        );
      return { before, lists };
    },
    onSuccess: (_answer, { isFavorite }) => {
      const { title, says } = isFavorite ? words.added : words.removed;
      showToast({
        title,
        description: `${track.title} ${says}`,
        ...(!isFavorite && { action: { label: 'Undo', onSelect: undo } }),
      });
    },
    onError: (_error, { isFavorite }, kept) => {
      client.setQueryData(queryKey, kept?.before ?? { isFavorite: !isFavorite });
      for (const [key, list] of kept?.lists ?? []) client.setQueryData(key, list);
      showToast({
        title: 'Error',
        description: 'Failed to update favorites. Please try again.',
        variant: 'destructive',
      });
    },
    onSettled: async () => {
      // While another press waits, what it shows is newer than any answer.
      const isLast = (key: unknown[]) => client.isMutating({ mutationKey: key }) === 1;
      await Promise.all([
        isLast(mutationKey) && client.invalidateQueries({ queryKey }),
        isLast(['favorite']) && client.invalidateQueries({ queryKey: FAVORITES_KEY }),
      ]);
    },
  });
  /** Also when the row that was pressed is gone. */
  const undo = () => {
    const mutation = client.getMutationCache().build(client, options);
    void mutation.execute({ isFavorite: true }).catch(() => undefined);
  };
  return options;
}
