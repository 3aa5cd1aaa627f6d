import { infiniteQueryOptions, queryOptions, type QueryClient } from '@tanstack/react-query';
import type { DeletedPlaylist, Playlist, PlaylistDetail } from '#contract/playlists.ts';
import { ApiError, call } from '#web/lib/api.ts';

const PLAYLISTS_KEY = '/api/playlists';
const DELETED_KEY = '/api/deleted-playlists';
const PAGE_SIZE = 50;
const LARGEST_PAGE = 100;

/** What the server refused it will refuse again. */
export const retryOnce = (failures: number, error: Error): boolean =>
  failures < 1 && !(error instanceof ApiError && error.status < 500);

export const playlistPagesQuery = infiniteQueryOptions({
  queryKey: [PLAYLISTS_KEY, 'pages'],
  initialPageParam: undefined as string | undefined,
  queryFn: ({ pageParam: cursor, signal }) =>
    call(
      'GET /api/playlists',
      { query: { limit: PAGE_SIZE, ...(cursor && { cursor }) } },
      { signal },
    ),
  getNextPageParam: (page) => page.nextCursor ?? undefined,
  retry: retryOnce,
});

/** All of them, with a word on which hold the track: a member has two hundred at most. */
export const playlistsForTrackQuery = (trackId: string) =>
  queryOptions({
    queryKey: [PLAYLISTS_KEY, 'for', trackId],
    queryFn: async ({ signal }): Promise<Playlist[]> => {
      const playlists: Playlist[] = [];
      let cursor: string | null | undefined;
      do {
        const query = { trackId, limit: LARGEST_PAGE, ...(cursor && { cursor }) };
        const page = await call('GET /api/playlists', { query }, { signal });
        playlists.push(...page.items);
        cursor = page.nextCursor;
      } while (cursor);
      return playlists;
    },
    retry: retryOnce,
  });

export const playlistQuery = (id: string) =>
  queryOptions({
    queryKey: [`${PLAYLISTS_KEY}/${id}`],
    queryFn: ({ signal }) => call('GET /api/playlists/:id', { params: { id } }, { signal }),
    retry: retryOnce,
  });

export const sharedPlaylistQuery = (token: string) =>
  queryOptions({
    queryKey: [`/api/shared-playlists/${token}`],
    queryFn: ({ signal }) =>
      call('GET /api/shared-playlists/:token', { params: { token } }, { signal }),
    retry: retryOnce,
  });

export const deletedPlaylistsQuery = queryOptions({
  queryKey: [DELETED_KEY],
  queryFn: async ({ signal }): Promise<DeletedPlaylist[]> =>
    (await call('GET /api/deleted-playlists', undefined, { signal })).items,
  retry: retryOnce,
});

/**
 * Changes what is shown of a playlist. It stays as old as the answer it came from: its tracks say
 * what was known then, a heart that was pressed since is newer.
 */
export function changeShown(
  client: QueryClient,
  id: string,
  change: (playlist: PlaylistDetail) => PlaylistDetail,
): void {
  const { queryKey } = playlistQuery(id);
  const state = client.getQueryState(queryKey);
  if (!state?.data) return;
  client.setQueryData(queryKey, change(state.data), { updatedAt: state.dataUpdatedAt });
}

/** Every list of playlists, wherever it is shown; the playlists themselves have keys of their own. */
export const refreshLists = (client: QueryClient) =>
  Promise.all([
    client.invalidateQueries({ queryKey: [PLAYLISTS_KEY] }),
    client.invalidateQueries({ queryKey: [DELETED_KEY] }),
  ]);
