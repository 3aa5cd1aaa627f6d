import { infiniteQueryOptions, queryOptions, type QueryClient } from '@tanstack/react-query';
import type { BulkChange, CatalogueSort, CatalogueState } from '#contract/admin/catalogue.ts';
import type { TrackChange } from '#contract/track-fields.ts';
import { ApiError, call } from '#web/lib/api.ts';

const TRACKS_KEY = '/api/admin/tracks';

export type CatalogueFilter = {
  q?: string;
  state?: CatalogueState;
  year?: number;
  genre?: string;
  sort?: CatalogueSort;
};

const retryOnce = (failures: number, error: Error): boolean =>
  failures < 1 && !(error instanceof ApiError && error.status < 500);

export const cataloguePagesQuery = (filter: CatalogueFilter) =>
  infiniteQueryOptions({
    queryKey: [TRACKS_KEY, 'pages', filter],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: cursor, signal }) =>
      call(
        'GET /api/admin/tracks',
        { query: { ...filter, limit: 50, ...(cursor && { cursor }) } },
        { signal },
      ),
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    placeholderData: (before) => before,
  });

export const catalogueFacetsQuery = queryOptions({
  queryKey: [TRACKS_KEY, 'facets'],
  queryFn: ({ signal }) => call('GET /api/admin/tracks/facets', undefined, { signal }),
});

export const adminTrackQuery = (id: string) =>
  queryOptions({
    queryKey: [TRACKS_KEY, 'track', id],
    queryFn: ({ signal }) => call('GET /api/admin/tracks/:id', { params: { id } }, { signal }),
    retry: retryOnce,
  });

export const adminPeaksQuery = (id: string, version: number) =>
  queryOptions({
    queryKey: [TRACKS_KEY, 'peaks', id, version],
    queryFn: ({ signal }) =>
      call('GET /api/admin/tracks/:id/peaks', { params: { id } }, { signal }),
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
