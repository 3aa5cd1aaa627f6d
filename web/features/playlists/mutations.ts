import { mutationOptions, type MutationOptions, type QueryClient } from '@tanstack/react-query';
import type { PlaylistDetail } from '#contract/playlists.ts';
import { call, describeFailure } from '#web/lib/api.ts';
import { showToast } from '#web/lib/toasts.ts';
import { changeShown, playlistQuery, refreshLists, retryOnce } from './api.ts';

/** Runs without a component, so that an undo works after its page was left. What fails says so itself. */
export const runMutation = <V, D, C>(
  client: QueryClient,
  options: MutationOptions<D, Error, V, C>,
  variables: V,
): void =>
  void client
    .getMutationCache()
    .build(client, options)
    .execute(variables)
    .catch(() => undefined);

export const showFailure = (error: unknown, sentence: string): void =>
  showToast({
    title: 'Error',
    description: describeFailure(error, sentence),
    variant: 'destructive',
  });

type NewPlaylist = { name: string; description?: string | undefined; trackIds?: string[] };

/** The key makes a wish that is sent twice, because the first answer got lost, one playlist. */
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
    onSuccess: () => refreshLists(client),
  });
};

/** Changes what is shown at once, and takes it back when the server refuses it. */
export const showing = <V>(
  client: QueryClient,
  id: string,
  show: (playlist: PlaylistDetail, variables: V) => PlaylistDetail,
) => {
  const { queryKey } = playlistQuery(id);
  return {
    retry: retryOnce,
    onMutate: async (variables: V) => {
      await client.cancelQueries({ queryKey });
      const before = client.getQueryData(queryKey);
      changeShown(client, id, (playlist) => show(playlist, variables));
      return { before };
    },
    onError: (
      error: Error,
      _variables: V,
      kept: { before: PlaylistDetail | undefined } | undefined,
    ) => {
      if (kept?.before) changeShown(client, id, () => kept.before as PlaylistDetail);
      void client.invalidateQueries({ queryKey });
      showFailure(error, 'Failed to update the playlist. Please try again.');
    },
  };
};

type Description = { name: string; description: string };

export const describePlaylistMutation = (client: QueryClient, id: string) =>
  mutationOptions({
    ...showing<Description>(client, id, (playlist, change) => ({ ...playlist, ...change })),
    mutationFn: (body: Description) => call('PATCH /api/playlists/:id', { params: { id }, body }),
    onSettled: () => refreshLists(client),
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
      changeShown(client, id, (playlist) => ({ ...playlist, shareToken }));
      await refreshLists(client);
    },
    onError: (error) => showFailure(error, 'Failed to update the link. Please try again.'),
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
        action: {
          label: 'Undo',
          onSelect: () =>
            runMutation(client, restorePlaylistMutation(client, { id, name }), undefined),
        },
      });
      await refreshLists(client);
    },
    onError: (error) => showFailure(error, 'Failed to delete the playlist. Please try again.'),
  });

export const restorePlaylistMutation = (client: QueryClient, { id, name }: Named) =>
  mutationOptions({
    retry: retryOnce,
    mutationFn: () => call('POST /api/playlists/:id/restore', { params: { id } }),
    onSuccess: async () => {
      showToast({ title: 'Playlist restored', description: name });
      await refreshLists(client);
    },
    onError: (error) => showFailure(error, 'Failed to restore the playlist. Please try again.'),
  });
