import { keepPreviousData, type QueryClient } from '@tanstack/react-query';
import type { BulkChange, CatalogueSort, CatalogueState } from '#contract/admin/catalogue.ts';
import type { TrackChange } from '#contract/track-fields.ts';
import { call } from '#web/lib/api/api.ts';
import { apiQuery, pagedQuery } from '#web/lib/api/api-query.ts';
import { retryOnce } from '#web/lib/api/query-client.ts';

const TRACKS_KEY = '/api/admin/tracks';

export type CatalogueFilter = {
  q?: string;
  state?: CatalogueState;
  year?: number;
  genre?: string;
  sort?: CatalogueSort;
};

export const cataloguePagesQuery = (filter: CatalogueFilter) => ({
  ...pagedQuery([TRACKS_KEY, 'pages', filter], 'GET /api/admin/tracks', {
    query: { ...filter, limit: 50 },
  }),
  placeholderData: keepPreviousData,
});

export const catalogueFacetsQuery = apiQuery(
  [TRACKS_KEY, 'facets'],
  'GET /api/admin/tracks/facets',
);

export const adminTrackQuery = (id: string) => ({
  ...apiQuery([TRACKS_KEY, 'track', id], 'GET /api/admin/tracks/:id', { params: { id } }),
  retry: retryOnce,
});

export const adminPeaksQuery = (id: string, version: number) =>
  apiQuery([TRACKS_KEY, 'peaks', id, version], 'GET /api/admin/tracks/:id/peaks', {
    params: { id },
  });

export const refreshCatalogue = (client: QueryClient) =>
  client.invalidateQueries({ queryKey: [TRACKS_KEY] });

export const changeMany = (body: BulkChange) => call('POST /api/admin/tracks/bulk', { body });

export const saveTrack = (id: string, body: TrackChange & { version: number }) =>
  call('PATCH /api/admin/tracks/:id', { params: { id }, body });

export const saveUploadDraft = (id: string, body: TrackChange & { version: number }) =>
  call('PUT /api/admin/uploads/:id/draft', { params: { id }, body });

export const uploadTrackCover = (id: string, body: Blob) =>
  call('PUT /api/admin/tracks/:id/cover', { params: { id }, body });

export const removeTrackCover = (id: string) =>
  call('DELETE /api/admin/tracks/:id/cover', { params: { id } });

export const uploadDraftCover = (id: string, body: Blob) =>
  call('PUT /api/admin/uploads/:id/cover', { params: { id }, body });

export const reprocessTrack = (id: string) =>
  call('POST /api/admin/tracks/:id/reprocess', { params: { id } });
