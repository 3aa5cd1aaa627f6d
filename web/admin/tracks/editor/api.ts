import { keepPreviousData, type QueryClient } from '@tanstack/react-query';
import type { BulkChange, CatalogueSort, CatalogueState } from '#contract/admin/catalogue.ts';
import type { TrackChange } from '#contract/track-fields.ts';
import { call } from '#web/lib/api/api.ts';
import { apiQuery, pagedQuery, refreshPaths } from '#web/lib/api/api-query.ts';

export const TRACKS_PATH = '/api/admin/tracks';

export type CatalogueFilter = {
  q?: string;
  state?: CatalogueState;
  year?: number;
  genre?: string;
  series?: string;
  sort?: CatalogueSort;
};

export const cataloguePagesQuery = (filter: CatalogueFilter) => ({
  ...pagedQuery('GET /api/admin/tracks', {
    query: { ...filter, limit: 50 },
  }),
  placeholderData: keepPreviousData,
});

export const catalogueFacetsQuery = apiQuery('GET /api/admin/tracks/facets');

export const adminTrackQuery = (id: string) =>
  apiQuery('GET /api/admin/tracks/:id', { params: { id } });

export const adminPeaksQuery = (id: string) =>
  apiQuery('GET /api/admin/tracks/:id/peaks', { params: { id } });

export const refreshCatalogue = (client: QueryClient) => refreshPaths(client, TRACKS_PATH);

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
