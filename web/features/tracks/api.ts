import { queryOptions } from '@tanstack/react-query';
import type { z } from 'zod';
import type { Page } from '#contract/paging.ts';
import type { Neighbour, Peaks, Track, TrackDetail } from '#contract/tracks.ts';
import { CatalogueError } from '#web/lib/query-client.ts';
import { buildPath } from '#web/lib/api.ts';

export type TrackPage = Page<Track>;
type Filter = { year?: number; week?: number; genre?: string; cursor?: string; limit?: number };

/** A track that is missing or not accessible won't appear on a retry. */
const isFinal = (error: Error): boolean =>
  error instanceof CatalogueError && (error.status === 404 || error.status === 403);

const trackPath = (id: string): string => `/api/tracks/${encodeURIComponent(id)}`;

export const tracksQuery = (filter: Filter = {}) =>
  queryOptions<TrackPage>({ queryKey: [buildPath('/api/tracks', {}, filter)] });

export const trackQuery = (id: string) =>
  queryOptions<TrackDetail>({
    queryKey: [trackPath(id)],
    retry: (failures, error) => failures < 1 && !isFinal(error),
  });

/** A track's waveform never changes. */
export const peaksQuery = (id: string) =>
  queryOptions<z.infer<typeof Peaks>>({
    queryKey: [`${trackPath(id)}/peaks`],
    staleTime: Infinity,
    retry: (failures, error) => failures < 1 && !isFinal(error),
  });

/** The years and genres that have tracks. */
export const facetsQuery = queryOptions<{ years: number[]; genres: string[] }>({
  queryKey: ['/api/tracks/facets'],
});

type Neighbours = { previous: Neighbour | null; next: Neighbour | null };

/** The previous and next track. */
export const neighboursQuery = (id: string) =>
  queryOptions<Neighbours>({ queryKey: [`${trackPath(id)}/neighbours`] });
