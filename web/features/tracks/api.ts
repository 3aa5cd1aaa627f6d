import type { Page } from '#contract/paging.ts';
import type { Track } from '#contract/tracks.ts';
import { apiQuery } from '#web/lib/api/api-query.ts';

export type TrackPage = Page<Track>;
type Filter = { year?: number; week?: number; genre?: string; cursor?: string; limit?: number };

const byId = (id: string) => ({ params: { id } });

export const tracksQuery = (filter: Filter = {}) => apiQuery('GET /api/tracks', { query: filter });

export const trackQuery = (id: string) => apiQuery('GET /api/tracks/:id', byId(id));

/** A track's waveform never changes. */
export const peaksQuery = (id: string) => ({
  ...apiQuery('GET /api/tracks/:id/peaks', byId(id)),
  staleTime: Infinity,
});

/** The years, genres and series that have tracks. */
export const facetsQuery = apiQuery('GET /api/tracks/facets');

/** The next release that only subscribers can hear so far. */
export const earlyReleaseQuery = apiQuery('GET /api/tracks/early');

/** The previous and next track. */
export const neighboursQuery = (id: string) => apiQuery('GET /api/tracks/:id/neighbours', byId(id));
