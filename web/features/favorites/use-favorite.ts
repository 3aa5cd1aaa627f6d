import {
  useQuery,
  useQueryClient,
  mutationOptions,
  type InfiniteData,
  type QueryClient,
} from '@tanstack/react-query';
import { useCallback, useEffect, useSyncExternalStore } from 'react';
import type { User } from '#contract/accounts.ts';
import type { Track } from '#contract/tracks.ts';
import { favoriteQuery, FAVORITES_KEY, type FavoriteStatus } from './api.ts';
import { watchOtherTabs, refreshFavorite, notifyOtherTabs } from './other-tabs.ts';
import { call } from '#web/lib/api/api.ts';
import { showToast, withdrawUndo } from '#web/lib/store/toasts.ts';

/** Asks the server. */
export function useFavorite(track: Track, user: User | null) {
  const query = favoriteQuery(track.id, user?.id);
  const { data } = useQuery({ ...query, enabled: user !== null });
  return useHeart(track, user, data);
}

/**
 * In lists: the status that came with the track, and changes since. Only those are in the cache,
 * because whatever watches the cache takes longer the more there is in it.
 */
export function useListedFavorite(track: Track, user: User | null) {
  const client = useQueryClient();
  const { queryKey } = favoriteQuery(track.id, user?.id);
  const subscribe = useCallback(
    (onChange: () => void) => client.getQueryCache().subscribe(onChange),
    [client],
  );
  const getStatus = () => client.getQueryData(queryKey);
  return useHeart(track, user, useSyncExternalStore(subscribe, getStatus, getStatus));
}

function useHeart(track: Track, user: User | null, status: FavoriteStatus | undefined) {
  const client = useQueryClient();
  useEffect(() => watchOtherTabs(client), [client]);
  const isFavoriteIn = (known: FavoriteStatus | undefined) => known?.isFavorite ?? track.isFavorite;
  return {
    isFavorite: user !== null && isFavoriteIn(status),
    /** Does nothing for visitors. */
    toggle(): void {
      if (!user) return;
      const { queryKey } = favoriteQuery(track.id, user.id);
      const isFavorite = !isFavoriteIn(client.getQueryData(queryKey));
      send(client, favoriteMutation(client, track, user.id), { isFavorite });
    },
  };
}

/** Rows of long lists have no mutation of their own until someone presses the heart. */
function send(client: QueryClient, options: FavoriteMutation, wanted: FavoriteStatus): void {
  const mutation = client.getMutationCache().build(client, options);
  // If it fails, it has already shown its toast.
  void mutation.execute(wanted).catch(() => undefined);
}

type FavoriteMutation = ReturnType<typeof favoriteMutation>;

const texts = {
  added: { title: 'Added to favorites', text: 'has been added to your favorites' },
  removed: { title: 'Removed from favorites', text: 'has been removed from your favorites' },
};

type Lists = InfiniteData<{ items: Track[] }>;

/** Removes a track from the cached lists. Returns the same object if it wasn't there. */
function withoutTrack(lists: Lists | undefined, trackId: string): Lists | undefined {
  const isIn = lists?.pages.some(({ items }) => items.some(({ id }) => id === trackId));
  if (!lists || !isIn) return lists;
  const pages = lists.pages.map((page) => ({
    ...page,
    items: page.items.filter(({ id }) => id !== trackId),
  }));
  return { ...lists, pages };
}

/** Shows the change immediately and rolls it back on an error. */
function favoriteMutation(client: QueryClient, track: Track, userId: string | undefined) {
  const { queryKey } = favoriteQuery(track.id, userId);
  const mutationKey = ['favorite', track.id, userId];
  const undoKey = mutationKey.join(' ');
  const options = mutationOptions({
    mutationKey,
    // Quick presses reach the server in order.
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
      const { title, text } = isFavorite ? texts.added : texts.removed;
      if (isFavorite) withdrawUndo(undoKey);
      showToast({
        title,
        description: `${track.title} ${text}`,
        ...(!isFavorite && {
          undo: { run: undo, plural: 'mixes removed from favorites', key: undoKey },
        }),
      });
    },
    onError: (_error, { isFavorite }, previous) => {
      client.setQueryData(queryKey, previous?.before ?? { isFavorite: !isFavorite });
      for (const [key, list] of previous?.lists ?? []) client.setQueryData(key, list);
      showToast({
        title: 'Error',
        description: 'Failed to update favorites. Please try again.',
        variant: 'destructive',
      });
    },
    onSettled: async () => {
      // A later press that is still waiting is newer than this response.
      if (client.isMutating({ mutationKey }) > 1 || !userId) return;
      const change = { trackId: track.id, userId };
      notifyOtherTabs(change);
      await refreshFavorite(client, change);
    },
  });
  /** Works even after the row has disappeared. */
  const undo = async () => {
    const mutation = client.getMutationCache().build(client, options);
    // If it fails, it has already shown its toast.
    await mutation.execute({ isFavorite: true }).catch(() => undefined);
  };
  return options;
}
