import { type QueryClient } from '@tanstack/react-query';
import type { ArtistFields } from '#contract/artists/artists.ts';
import { call } from '#web/lib/api/api.ts';
import { apiQuery, refreshPaths } from '#web/lib/api/api-query.ts';

/** The artists whose name contains a text, to choose one of them. */
export const artistChoicesQuery = (q: string) =>
  apiQuery('GET /api/admin/artists', { query: { limit: 100, ...(q && { q }) } });

export const adminArtistQuery = (id: string) => ({
  ...apiQuery('GET /api/admin/artists/:id', { params: { id } }),
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
  refreshPaths(client, '/api/artists', '/api/tracks', '/api/admin/artists', '/api/admin/tracks');
