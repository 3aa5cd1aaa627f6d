import { queryOptions, type QueryClient } from '@tanstack/react-query';
import type { DeletedPlaylist, Playlist, PlaylistDetail } from '#contract/playlists.ts';
import { apiQuery, callUnlessLoggedOut, pagedQuery } from '#web/lib/api/api-query.ts';
import { retryOnce } from '#web/lib/api/query-client.ts';

const PLAYLISTS_KEY = '/api/playlists';
const DELETED_KEY = '/api/deleted-playlists';
const PAGE_SIZE = 50;
const MAX_PAGE_SIZE = 100;

export const playlistPagesQuery = {
  ...pagedQuery([PLAYLISTS_KEY, 'pages'], 'GET /api/playlists', { query: { limit: PAGE_SIZE } }),
  retry: retryOnce,
};

/** All playlists, each with whether it contains the track. A user has at most two hundred. */
export const playlistsForTrackQuery = (trackId: string) =>
  queryOptions({
    queryKey: [PLAYLISTS_KEY, 'for', trackId],
    queryFn: async ({ signal }): Promise<Playlist[] | null> => {
      const playlists: Playlist[] = [];
      let cursor: string | null | undefined;
      do {
        const query = { trackId, limit: MAX_PAGE_SIZE, ...(cursor && { cursor }) };
        const page = await callUnlessLoggedOut('GET /api/playlists', { query }, signal);
        if (!page) return null;
        playlists.push(...page.items);
        cursor = page.nextCursor;
      } while (cursor);
      return playlists;
    },
    retry: retryOnce,
  });

export const playlistQuery = (id: string) => ({
  ...apiQuery([`${PLAYLISTS_KEY}/${id}`], 'GET /api/playlists/:id', { params: { id } }),
  retry: retryOnce,
});

export const sharedPlaylistQuery = (token: string) => ({
  ...apiQuery([`/api/shared-playlists/${token}`], 'GET /api/shared-playlists/:token', {
    params: { token },
  }),
  retry: retryOnce,
});

export const deletedPlaylistsQuery = queryOptions({
  queryKey: [DELETED_KEY],
  queryFn: async ({ signal }): Promise<DeletedPlaylist[] | null> =>
    (await callUnlessLoggedOut('GET /api/deleted-playlists', undefined, signal))?.items ?? null,
  retry: retryOnce,
});

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
    client.invalidateQueries({ queryKey: [PLAYLISTS_KEY] }),
    client.invalidateQueries({ queryKey: [DELETED_KEY] }),
  ]);
