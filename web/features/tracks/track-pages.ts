import {
  infiniteQueryOptions,
  useInfiniteQuery,
  type UseInfiniteQueryResult,
} from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import type { Track } from '#contract/tracks.ts';
import { pagedQuery } from '#web/lib/api/api-query.ts';
import { useUpdateFavorites } from './use-update-favorites.ts';

const PAGE_SIZE = 50;
/** A refetch loads every page again, which is too much for long lists on every focus. */
const MAX_PAGES_ON_FOCUS = 3;

type ListRoute = `GET /api/${'tracks' | 'tracks/search' | 'favorites' | 'history' | 'downloads'}`;

/** A list of tracks, or of entries that each have one, page by page. */
export const trackPagesQuery = <K extends ListRoute>(route: K, filter: object = {}) =>
  infiniteQueryOptions({
    ...pagedQuery<K>(route, ...([{ query: { limit: PAGE_SIZE, ...filter } }] as never)),
    refetchOnWindowFocus: ({ state }) => (state.data?.pages.length ?? 0) <= MAX_PAGES_ON_FOCUS,
  });

/** The state of any list that loads page by page. */
export type Pages = {
  isPending: boolean;
  /** The first page failed to load. */
  hasFailed: boolean;
  query: Pick<UseInfiniteQueryResult, 'data' | 'error' | 'refetch'>;
  hasMore: boolean;
  isLoadingMore: boolean;
  /** The next page failed to load. */
  hasMoreFailed: boolean;
  loadMore: () => void;
};

export type TrackPages = Pages & { tracks: readonly Track[] };

export function usePages<Data>(result: UseInfiniteQueryResult<Data>): Pages {
  const { fetchNextPage } = result;
  return {
    isPending: result.isPending,
    hasFailed: result.isError && !result.data,
    query: result,
    hasMore: result.hasNextPage,
    isLoadingMore: result.isFetchingNextPage,
    hasMoreFailed: result.isFetchNextPageError,
    loadMore: useCallback(() => void fetchNextPage(), [fetchNextPage]),
  };
}

export function useTrackPages(query: ReturnType<typeof trackPagesQuery>): TrackPages {
  const result = useInfiniteQuery(query);
  const { data, dataUpdatedAt } = result;
  const tracks = useMemo(() => joinPages((data?.pages ?? []) as readonly TrackPage[]), [data]);
  useUpdateFavorites(tracks, dataUpdatedAt);
  return { tracks, ...usePages(result) };
}

/** Shows a track once, even if it moved between pages while they loaded. */
export function joinPages(pages: readonly TrackPage[]): Track[] {
  const byId = new Map<string, Track>();
  for (const entry of pages.flatMap(({ items }) => items)) {
    const track = 'track' in entry ? entry.track : entry;
    if (!byId.has(track.id)) byId.set(track.id, track);
  }
  return [...byId.values()];
}

type Entry = Track | { track: Track };
type TrackPage = { items: readonly Entry[] };

type Group = { heading: string; tracks: Track[] };

export function groupByHeading(
  tracks: readonly Track[],
  headingOf: (track: Track) => string,
): Group[] {
  const groups: Group[] = [];
  for (const track of tracks) {
    const heading = headingOf(track);
    const last = groups.at(-1);
    if (last?.heading === heading) last.tracks.push(track);
    else groups.push({ heading, tracks: [track] });
  }
  return groups;
}
