import { mutationOptions, type MutationOptions, type QueryClient } from '@tanstack/react-query';
import type { PlaylistDetail } from '#contract/playlists.ts';
import { call } from '#web/lib/api/api.ts';
import { showErrorToast, showToast } from '#web/lib/store/toasts.ts';
import { updateCachedPlaylist, playlistQuery, refreshPlaylists } from './api.ts';
import { retryOnce } from '#web/lib/api/query-client.ts';

/** Runs without a component, so that Undo works on other pages. Mutations show their own errors. */
export const runMutation = <V, D, C>(
  client: QueryClient,
  options: MutationOptions<D, Error, V, C>,
  variables: V,
): Promise<unknown> =>
  client
    .getMutationCache()
    .build(client, options)
    .execute(variables)
    .catch(() => undefined);

type NewPlaylist = { name: string; description?: string | undefined; trackIds?: string[] };

/** With this key, a retry after a lost response doesn't create a second playlist. */
const newRequestKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(36)).join('');

export const createPlaylistMutation = (client: QueryClient) => {
  const requestKey = newRequestKey();
  return mutationOptions({
    mutationFn: ({ name, description, trackIds }: NewPlaylist) =>
      call('POST /api/playlists', {
        body: {
          name,
          requestKey,
          ...(description !== undefined && { description }),
          ...(trackIds && { trackIds }),
        },
      }),
    retry: retryOnce,
    onSuccess: () => refreshPlaylists(client),
  });
};

/** Shows the change immediately and rolls it back on an error. */
export const optimisticUpdate = <V>(
  client: QueryClient,
  id: string,
  apply: (playlist: PlaylistDetail, variables: V) => PlaylistDetail,
) => {
  const { queryKey } = playlistQuery(id);
  return {
    retry: retryOnce,
    onMutate: async (variables: V) => {
      await client.cancelQueries({ queryKey });
      const before = client.getQueryData(queryKey);
      updateCachedPlaylist(client, id, (playlist) => apply(playlist, variables));
      return { before };
    },
    onError: (
      error: Error,
      _variables: V,
      previous: { before: PlaylistDetail | null | undefined } | undefined,
    ) => {
      if (previous?.before)
        updateCachedPlaylist(client, id, () => previous.before as PlaylistDetail);
      void client.invalidateQueries({ queryKey });
      showErrorToast(error, 'Failed to update the playlist. Please try again.');
    },
  };
};

type PlaylistDetails = { name: string; description: string };

export const updatePlaylistMutation = (client: QueryClient, id: string) =>
  mutationOptions({
    ...optimisticUpdate<PlaylistDetails>(client, id, (playlist, change) => ({
      ...playlist,
      ...change,
    })),
    mutationFn: (body: PlaylistDetails) =>
      call('PATCH /api/playlists/:id', { params: { id }, body }),
    onSettled: () => refreshPlaylists(client),
  });

export const sharePlaylistMutation = (client: QueryClient, id: string) =>
  mutationOptions({
    retry: retryOnce,
    mutationFn: async (isShared: boolean): Promise<string | null> => {
      const input = { params: { id } };
      if (isShared) return (await call('PUT /api/playlists/:id/share', input)).shareToken;
      await call('DELETE /api/playlists/:id/share', input);
      return null;
    },
    onSuccess: async (shareToken) => {
      const { queryKey } = playlistQuery(id);
      await client.cancelQueries({ queryKey });
      updateCachedPlaylist(client, id, (playlist) => ({ ...playlist, shareToken }));
      await refreshPlaylists(client);
    },
    onError: (error) => showErrorToast(error, 'Failed to update the link. Please try again.'),
  });

type Named = { id: string; name: string };

export const deletePlaylistMutation = (client: QueryClient, { id, name }: Named) =>
  mutationOptions({
    retry: retryOnce,
    mutationFn: () => call('DELETE /api/playlists/:id', { params: { id } }),
    onSuccess: async () => {
      showToast({
        title: 'Playlist deleted',
        description: name,
        undo: {
          run: () => runMutation(client, restorePlaylistMutation(client, { id, name }), undefined),
          plural: 'playlists deleted',
        },
      });
      await refreshPlaylists(client);
    },
    onError: (error) => showErrorToast(error, 'Failed to delete the playlist. Please try again.'),
  });

export const restorePlaylistMutation = (client: QueryClient, { id, name }: Named) =>
  mutationOptions({
    retry: retryOnce,
    mutationFn: () => call('POST /api/playlists/:id/restore', { params: { id } }),
    onSuccess: async () => {
      showToast({ title: 'Playlist restored', description: name });
      await refreshPlaylists(client);
    },
    onError: (error) => showErrorToast(error, 'Failed to restore the playlist. Please try again.'),
  });
