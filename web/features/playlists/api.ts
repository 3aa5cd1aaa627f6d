import { queryOptions, type QueryClient } from '@tanstack/react-query';
import type { Playlist, PlaylistDetail } from '#contract/playlists.ts';
import { apiQuery, fetchAllPages, pagedQuery } from '#web/lib/api/api-query.ts';
import { retryOnce } from '#web/lib/api/query-client.ts';

const PLAYLISTS_PATH = '/api/playlists';

export const playlistPagesQuery = pagedQuery('GET /api/playlists', { query: { limit: 50 } });

/**
 * All playlists, each with whether it contains the track. No `apiQuery`: a user has up to two hundred,
 * which are two pages.
 */
export const playlistsForTrackQuery = (trackId: string) =>
  queryOptions({
    queryKey: [PLAYLISTS_PATH, 'for', trackId],
    queryFn: (context) => fetchAllPages<Playlist>(context, PLAYLISTS_PATH, { trackId, limit: 100 }),
    retry: retryOnce,
  });

export const playlistQuery = (id: string) => apiQuery('GET /api/playlists/:id', { params: { id } });

export const deletedPlaylistsQuery = apiQuery('GET /api/deleted-playlists');

/**
 * Updates a cached playlist but keeps its timestamp: its tracks are as old as the response they came
 * in, and favorites changed since are newer.
 */
export function updateCachedPlaylist(
  client: QueryClient,
  id: string,
  change: (playlist: PlaylistDetail) => PlaylistDetail,
): void {
  const { queryKey } = playlistQuery(id);
  const state = client.getQueryState(queryKey);
  if (!state?.data) return;
  client.setQueryData(queryKey, change(state.data), { updatedAt: state.dataUpdatedAt });
}

/** Reloads every list of playlists, but not the playlists themselves. */
export const refreshPlaylists = (client: QueryClient) =>
  Promise.all([
    client.invalidateQueries({ queryKey: [PLAYLISTS_PATH] }),
    client.invalidateQueries({ queryKey: deletedPlaylistsQuery.queryKey }),
  ]);
