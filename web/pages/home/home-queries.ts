import { queryOptions } from '@tanstack/react-query';
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
import { buildPath } from '#web/lib/api/api.ts';
import { hasFullAccess } from '#web/lib/api/current-user.ts';
import { fetchByKey } from '#web/lib/api/query-client.ts';

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
    queryKey: [buildPath('/api/tracks', {}, { year, limit: PAGE_SIZE })],
    queryFn: async (context): Promise<TrackPage> => {
      const pages: TrackPage[] = [];
      let cursor: string | undefined;
      do {
        const url = buildPath('/api/tracks', {}, { year, limit: PAGE_SIZE, cursor });
        const page = (await fetchByKey({ ...context, queryKey: [url] })) as TrackPage;
        pages.push(page);
        cursor = page.nextCursor ?? undefined;
      } while (cursor);
      return { items: joinPages(pages), nextCursor: null };
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
    ...(hasFullAccess(user) ? [] : [earlyReleaseQuery]),
    ...(staged ? [peaksQuery(staged.id), favoriteQuery(staged.id, user?.id)] : []),
  ];
}
