import { queryOptions, type QueryClient } from '@tanstack/react-query';
import type { Artist, ArtistFields } from '#contract/artists/artists.ts';
import { call } from '#web/lib/api/api.ts';
import { apiQuery, pagedQuery } from '#web/lib/api/api-query.ts';
import { retryOnce } from '#web/lib/api/query-client.ts';

const ADMIN_KEY = '/api/admin/artists';

export const artistQuery = (id: string) =>
  queryOptions<Artist>({
    queryKey: [`/api/artists/${encodeURIComponent(id)}`],
    retry: retryOnce,
  });

export const adminArtistsQuery = (q: string) => ({
  ...pagedQuery([ADMIN_KEY, 'pages', q], 'GET /api/admin/artists', {
    query: { limit: 50, ...(q && { q }) },
  }),
  retry: retryOnce,
});

/** The artists whose name contains a text, to choose one of them. */
export const artistChoicesQuery = (q: string) => ({
  ...apiQuery([ADMIN_KEY, 'choices', q], 'GET /api/admin/artists', {
    query: { limit: 100, ...(q && { q }) },
  }),
  retry: retryOnce,
});

export const adminArtistQuery = (id: string) => ({
  ...apiQuery([ADMIN_KEY, 'one', id], 'GET /api/admin/artists/:id', { params: { id } }),
  retry: retryOnce,
  // Don't replace what the administrator is typing.
  refetchOnWindowFocus: false,
});

export const saveArtist = (id: string, body: ArtistFields & { version: number }) =>
  call('PATCH /api/admin/artists/:id', { params: { id }, body });

export const uploadPicture = (id: string, body: Blob) =>
  call('PUT /api/admin/artists/:id/picture', { params: { id }, body });

export const removePicture = (id: string) =>
  call('DELETE /api/admin/artists/:id/picture', { params: { id } });

export const mergeArtist = (id: string, into: string) =>
  call('POST /api/admin/artists/:id/merge', { params: { id }, body: { into } });

export const deleteArtist = (id: string) =>
  call('DELETE /api/admin/artists/:id', { params: { id } });

/** Names appear on every page with tracks. */
export const refreshArtists = (client: QueryClient) =>
  client.invalidateQueries({
    predicate: ({ queryKey: [key] }) => /^\/api\/(?:admin\/)?(?:artists|tracks)/.test(String(key)),
  });
