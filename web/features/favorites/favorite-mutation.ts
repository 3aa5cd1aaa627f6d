import { mutationOptions, type InfiniteData, type QueryClient } from '@tanstack/react-query';
import type { Track } from '#contract/tracks.ts';
import { call } from '#web/lib/api.ts';
import { showToast } from '#web/lib/toasts.ts';
import { FAVORITES_KEY, favoriteQuery, type FavoriteStatus } from './api.ts';
import { refreshFavorite, tellOtherTabs } from './other-tabs.ts';

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
    mutationFn: ({ isFavorite }: FavoriteStatus) => {
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
      if (client.isMutating({ mutationKey }) > 1 || !userId) return;
      const change = { trackId: track.id, userId };
      tellOtherTabs(change);
      await refreshFavorite(client, change);
    },
  });
  /** Also when the row that was pressed is gone. */
  const undo = () => {
    const mutation = client.getMutationCache().build(client, options);
    void mutation.execute({ isFavorite: true }).catch(() => undefined);
  };
  return options;
}
