import {
  infiniteQueryOptions,
  useInfiniteQuery,
  type UseInfiniteQueryResult,
} from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import type { Track } from '#contract/tracks.ts';
import { buildPath } from '#web/lib/api/api.ts';
import { fetchPage, FIRST_PAGE } from '#web/lib/api/query-client.ts';
import type { TrackPage } from '#web/features/tracks/api.ts';
import { useUpdateFavorites } from './use-update-favorites.ts';

const PAGE_SIZE = 50;
/** A refetch loads every page again, which is too much for long lists on every focus. */
const MAX_PAGES_ON_FOCUS = 3;

type Filter = Record<string, string | number | undefined>;

/**
 * A paginated list of tracks. Like every key, its key starts with the URL. `toTracks` picks the
 * tracks from lists whose entries have other fields too.
 */
export const trackPagesQuery = (
  path: string,
  filter: Filter = {},
  toTracks: (page: unknown) => TrackPage = (page) => page as TrackPage,
) =>
  infiniteQueryOptions({
    queryKey: [path, 'pages', filter] as const,
    initialPageParam: FIRST_PAGE,
    queryFn: (context): Promise<TrackPage> =>
      fetchPage(
        context,
        buildPath(
          path,
          {},
          { limit: PAGE_SIZE, ...filter, cursor: context.pageParam ?? undefined },
        ),
        toTracks,
      ),
    getNextPageParam: (page) => page.nextCursor ?? undefined,
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
  const tracks = useMemo(() => joinPages(data?.pages ?? []), [data]);
  useUpdateFavorites(tracks, dataUpdatedAt);
  return { tracks, ...usePages(result) };
}

/** Shows a track once, even if it moved between pages while they loaded. */
export function joinPages(pages: readonly TrackPage[]): Track[] {
  const byId = new Map<string, Track>();
  for (const { items } of pages)
    for (const track of items) if (!byId.has(track.id)) byId.set(track.id, track);
  return [...byId.values()];
}

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
