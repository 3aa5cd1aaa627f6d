import { queryOptions } from '@tanstack/react-query';
import type { Track } from '#contract/tracks.ts';
import { parseWeekKey, weekOfDay } from '#contract/rules/weeks.ts';
import type { Visit } from '#web/router/route.ts';
import { chartQuery } from '#web/features/charts/api.ts';
import { favoriteQuery } from '#web/features/favorites/api.ts';
import { startedQuery } from '#web/features/history/api.ts';
import {
  earlyReleaseQuery,
  peaksQuery,
  tracksQuery,
  type TrackPage,
} from '#web/features/tracks/api.ts';
import { joinPages } from '#web/features/tracks/track-pages.ts';
import { getToday } from '#web/lib/format/now.ts';
import { fetchAllPages } from '#web/lib/api/api-query.ts';

/** This week's mix and the widest row of earlier ones. */
const SHOWN = 11;

/** The newest mixes, or those of a week. */
export const shownQuery = (week: ReturnType<typeof parseWeekKey>) =>
  tracksQuery({ ...week, limit: SHOWN });

/** The most a page may have. */
const PAGE_SIZE = 100;

/** Every mix of the year, however many pages that takes, because the counts include them all. */
export const yearQuery = (year: number) =>
  queryOptions({
    ...tracksQuery({ year, limit: PAGE_SIZE }),
    queryFn: async (context): Promise<TrackPage> => {
      const query = { year, limit: PAGE_SIZE };
      const items = (await fetchAllPages<Track>(context, '/api/tracks', query)) ?? [];
      return { items: joinPages([{ items }]), nextCursor: null };
    },
  });

export function listQueries({ search, user, read }: Visit) {
  const newest = shownQuery(null);
  const ofWeek = shownQuery(parseWeekKey(search.get('week') ?? ''));
  const [staged] = read(ofWeek.queryKey)?.items ?? [];
  const { year } = weekOfDay(getToday());
  return [
    newest,
    ofWeek,
    yearQuery(year),
    chartQuery(null),
    ...(user ? [startedQuery] : []),
    earlyReleaseQuery,
    ...(staged ? [peaksQuery(staged.id), favoriteQuery(staged.id, user?.id)] : []),
  ];
}
