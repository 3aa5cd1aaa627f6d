import type { DayRange } from '#contract/rules/report-days.ts';
import type { Db } from '../../db/connect.ts';
import { startAfter } from '../../db/keyset.ts';
import type { Page } from './play-sums.ts';
import { forEachRow } from './read-in-batches.ts';
import { type ReportDefinition, row, sumOf } from './report.ts';

type SearchMiss = { day: string; query: string; searches: number };

const listSearchMisses = (db: Db, { from, to }: DayRange, { after, limit }: Page<SearchMiss>) =>
  db
    .selectFrom('search_misses')
    .selectAll()
    .where(startAfter(['day', 'query'], after && [after.day, after.query], from))
    .where('day', '<=', to)
    .orderBy('day')
    .orderBy('query')
    .limit(limit)
    .execute();

const MAX_SEARCHES = 200;

export const searches: ReportDefinition = {
  title: 'Searches with no result',
  definition: `Searches that returned nothing, anonymised (top ${MAX_SEARCHES}). Kept for 400 days.`,
  plot: 'ranking',
  columns: [
    { key: 'query', label: 'Search', kind: 'text' },
    { key: 'searches', label: 'Times', kind: 'count' },
  ],
  figures: {
    searches: {
      label: 'No-result searches',
      definition: 'Searches in this period that returned nothing.',
      unit: 'count',
      isGoodWhen: 'less',
    },
    different: {
      label: 'Unique searches',
      definition: 'Number of different queries.',
      unit: 'count',
      isGoodWhen: 'less',
    },
  },
  compares: 'figures',
  async read({ db }, range) {
    const sums = new Map<string, number>();
    await forEachRow(
      (after: SearchMiss | null, limit) => listSearchMisses(db, range, { after, limit }),
      ({ query, searches: times }) => sums.set(query, (sums.get(query) ?? 0) + times),
    );
    const all = [...sums];
    const most = all.toSorted(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
    return {
      values: { searches: sumOf(all, ([, times]) => times), different: all.length },
      rows: most
        .slice(0, MAX_SEARCHES)
        .map(([query, times]) => row([query, times], `/search?q=${encodeURIComponent(query)}`)),
    };
  },
};
