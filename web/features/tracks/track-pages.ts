import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import type { Track } from '#contract/tracks.ts';
import { ApiError, buildPath } from '#web/lib/api.ts';
import { fetchByKey } from '#web/lib/query-client.ts';
import type { TrackPage } from '#web/features/tracks/api.ts';
import { useFavoriteMarks } from './use-favorite-marks.ts';

const PAGE_SIZE = 50;
/** Asking for a list again asks for each of its pages: a long one is not worth it at every glance. */
const MOST_PAGES_ON_FOCUS = 3;

type Filter = Record<string, string | number | undefined>;

/**
 * A list of tracks that goes on by cursor. Its key begins with the address, as every key does.
 * Lists whose entries say more than the track name the track of each.
 */
export const trackPagesQuery = (
  path: string,
  filter: Filter = {},
  toTracks: (page: unknown) => TrackPage = (page) => page as TrackPage,
) =>
  infiniteQueryOptions({
    queryKey: [path, 'pages', filter] as const,
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam, ...context }): Promise<TrackPage> => {
      const url = buildPath(path, {}, { limit: PAGE_SIZE, ...filter, cursor: pageParam });
      const page = await fetchByKey({ ...context, queryKey: [url] });
      if (!page) throw new ApiError(401, '');
      return toTracks(page);
    },
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    refetchOnWindowFocus: ({ state }) => (state.data?.pages.length ?? 0) <= MOST_PAGES_ON_FOCUS,
  });

export type TrackPages = {
  tracks: readonly Track[];
  isPending: boolean;
  /** Nothing could be loaded at all. */
  hasFailed: boolean;
  retry: () => void;
  hasMore: boolean;
  isLoadingMore: boolean;
  /** The list goes on, but its next part did not arrive. */
  hasMoreFailed: boolean;
  loadMore: () => void;
};

export function useTrackPages(query: ReturnType<typeof trackPagesQuery>): TrackPages {
  const result = useInfiniteQuery(query);
  const { data, dataUpdatedAt, refetch, fetchNextPage } = result;
  const tracks = useMemo(() => joinPages(data?.pages ?? []), [data]);
  useFavoriteMarks(tracks, dataUpdatedAt);
  return {
    tracks,
    isPending: result.isPending,
    hasFailed: result.isError && !data,
    retry: useCallback(() => void refetch(), [refetch]),
    hasMore: result.hasNextPage,
    isLoadingMore: result.isFetchingNextPage,
    hasMoreFailed: result.isFetchNextPageError,
    loadMore: useCallback(() => void fetchNextPage(), [fetchNextPage]),
  };
}

/** What moved between two pages while they were read is shown once. */
export function joinPages(pages: readonly TrackPage[]): Track[] {
  const byId = new Map<string, Track>();
  for (const { items } of pages)
    for (const track of items) if (!byId.has(track.id)) byId.set(track.id, track);
  return [...byId.values()];
}
