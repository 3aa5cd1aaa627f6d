import { mutationOptions, type QueryClient } from '@tanstack/react-query';
import type { PlaylistDetail } from '#contract/playlists.ts';
import { moveAfter } from '#contract/rules/playlists.ts';
import type { Track } from '#contract/tracks.ts';
import { ApiError, call } from '#web/lib/api/api.ts';
import { showErrorToast, showToast } from '#web/lib/store/toasts.ts';
import { updateCachedPlaylist, playlistQuery, refreshPlaylists } from './api.ts';
import { retryOnce } from '#web/lib/api/query-client.ts';
import { runMutation, optimisticUpdate } from './mutations.ts';

const idOf = (track: Track): string => track.id;

/** Changes to one playlist's tracks reach the server in order. */
const inOrder = (id: string) => ({ scope: { id: `playlist ${id}` } });

const saveVersion = (client: QueryClient, id: string, version: number): void =>
  updateCachedPlaylist(client, id, (playlist) => ({ ...playlist, version }));

type Target = { id: string; name: string };

/** Adds to a playlist that isn't open: from a menu or the queue. */
export const addToPlaylistMutation = (client: QueryClient, { id, name }: Target) =>
  mutationOptions({
    ...inOrder(id),
    retry: retryOnce,
    mutationFn: (track: Track) =>
      call('POST /api/playlists/:id/tracks', { params: { id }, body: { trackIds: [track.id] } }),
    onSuccess: async ({ added }, track) => {
      const title = added.length > 0 ? `Added to ${name}` : `Already in ${name}`;
      showToast({ title, description: track.title });
      await client.invalidateQueries({ queryKey: playlistQuery(id).queryKey });
      await refreshPlaylists(client);
    },
    onError: (error) => showErrorToast(error, 'Failed to update the playlist. Please try again.'),
  });

export type Move = { trackId: string; after: string | null };

const applyMove = (playlist: PlaylistDetail, { trackId, after }: Move): PlaylistDetail => ({
  ...playlist,
  tracks: [...moveAfter(playlist.tracks, idOf, { id: trackId, after })],
});

const canStillMove = (playlist: PlaylistDetail, { trackId, after }: Move): boolean =>
  [trackId, after].every((id) => id === null || playlist.tracks.some((track) => track.id === id));

/** If the order changed elsewhere meanwhile, repeats the move in the new order if that is still possible. */
export const moveTrackMutation = (client: QueryClient, id: string) => {
  const query = playlistQuery(id);
  const send = (version: number, move: Move) =>
    call('PUT /api/playlists/:id/order', { params: { id }, body: { version, ...move } });
  return mutationOptions({
    ...inOrder(id),
    ...optimisticUpdate(client, id, applyMove),
    mutationFn: async (move: Move) => {
      const version = client.getQueryData(query.queryKey)?.version ?? 0;
      try {
        return await send(version, move);
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== 'playlist_changed') throw error;
        const fresh = await client.fetchQuery(query);
        if (!fresh || !canStillMove(fresh, move)) throw error;
        updateCachedPlaylist(client, id, (playlist) => applyMove(playlist, move));
        return send(fresh.version, move);
      }
    },
    onSuccess: async ({ version }) => {
      saveVersion(client, id, version);
      await refreshPlaylists(client);
    },
  });
};

const applyRemoval = (playlist: PlaylistDetail, track: Track): PlaylistDetail => ({
  ...playlist,
  tracks: playlist.tracks.filter((one) => one.id !== track.id),
  trackCount: playlist.trackCount - 1,
});

type Addition = { track: Track; after: string | null };

const applyAddition = (playlist: PlaylistDetail, { track, after }: Addition): PlaylistDetail => {
  const tracks = [...playlist.tracks, track];
  const placed = moveAfter(tracks, idOf, { id: track.id, after });
  return { ...playlist, tracks: [...placed], trackCount: playlist.trackCount + 1 };
};

/** Undoes a removal: puts the track back where it was. */
const restoreTrackMutation = (client: QueryClient, id: string) =>
  mutationOptions({
    ...inOrder(id),
    ...optimisticUpdate(client, id, applyAddition),
    mutationFn: ({ track, after }: Addition) =>
      call('POST /api/playlists/:id/tracks', {
        params: { id },
        body: { trackIds: [track.id], after },
      }),
    onSuccess: async ({ version }) => {
      saveVersion(client, id, version);
      await refreshPlaylists(client);
    },
  });

export const removeTrackMutation = (client: QueryClient, { id, name }: Target) =>
  mutationOptions({
    ...inOrder(id),
    ...optimisticUpdate(client, id, applyRemoval),
    mutationFn: async (track: Track) =>
      call('DELETE /api/playlists/:id/tracks', { params: { id }, query: { trackId: track.id } }),
    onSuccess: async ({ version }, track, { before }) => {
      saveVersion(client, id, version);
      const index = before?.tracks.findIndex((one) => one.id === track.id) ?? -1;
      const after = before?.tracks[index - 1]?.id ?? null;
      showToast({
        title: `Removed from ${name}`,
        description: track.title,
        undo: {
          run: () => runMutation(client, restoreTrackMutation(client, id), { track, after }),
          plural: `mixes removed from ${name}`,
        },
      });
      await refreshPlaylists(client);
    },
  });
