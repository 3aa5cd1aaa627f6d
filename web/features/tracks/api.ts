import { queryOptions } from '@tanstack/react-query';
import type { z } from 'zod';
import type { Page } from '#contract/paging.ts';
import type { EarlyRelease, Neighbour, Peaks, Track, TrackDetail } from '#contract/tracks.ts';
import { buildPath } from '#web/lib/api/api.ts';
import { retryOnce } from '#web/lib/api/query-client.ts';

export type TrackPage = Page<Track>;
type Filter = { year?: number; week?: number; genre?: string; cursor?: string; limit?: number };

const trackPath = (id: string): string => `/api/tracks/${encodeURIComponent(id)}`;

export const tracksQuery = (filter: Filter = {}) =>
  queryOptions<TrackPage>({ queryKey: [buildPath('/api/tracks', {}, filter)] });

export const trackQuery = (id: string) =>
  queryOptions<TrackDetail>({
    queryKey: [trackPath(id)],
    retry: retryOnce,
  });

/** A track's waveform never changes. */
export const peaksQuery = (id: string) =>
  queryOptions<z.infer<typeof Peaks>>({
    queryKey: [`${trackPath(id)}/peaks`],
    staleTime: Infinity,
    retry: retryOnce,
  });

/** The years, genres and series that have tracks. */
export const facetsQuery = queryOptions<{ years: number[]; genres: string[]; series?: string[] }>({
  queryKey: ['/api/tracks/facets'],
});

/** All that viewers without access learn about a track. */
export const teaserQuery = (id: string) =>
  queryOptions<Pick<Track, 'year' | 'weekNumber'>>({
    queryKey: [`${trackPath(id)}/teaser`],
    retry: retryOnce,
  });

/** The next release that only subscribers can hear so far. */
export const earlyReleaseQuery = queryOptions<{ release: EarlyRelease | null }>({
  queryKey: ['/api/tracks/early'],
});

type Neighbours = { previous: Neighbour | null; next: Neighbour | null };

/** The previous and next track. */
export const neighboursQuery = (id: string) =>
  queryOptions<Neighbours>({ queryKey: [`${trackPath(id)}/neighbours`] });
