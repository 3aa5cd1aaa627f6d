import { listMisses } from './play-queries.ts';
import { readParts } from './read-parts.ts';
import { row, sumOf, type ReportDefinition } from './report.ts';

const MOST_SEARCHES = 200;

export const searches: ReportDefinition = {
  title: 'Searches with no result',
  definition: `What people searched for and did not find, without who searched; the ${MOST_SEARCHES} most frequent. Kept for 400 days.`,
  plot: 'ranking',
  columns: [
    { key: 'query', label: 'Search', kind: 'text' },
    { key: 'searches', label: 'Times', kind: 'count' },
  ],
  figures: {
    searches: {
      label: 'Without a result',
      definition: 'Searches in these days that found nothing.',
      unit: 'count',
      isGoodWhen: 'less',
    },
    different: {
      label: 'Different searches',
      definition: 'How many different words they were.',
      unit: 'count',
      isGoodWhen: 'less',
    },
  },
  compares: 'figures',
  async read({ db }, range) {
    const sums = new Map<string, number>();
    await readParts(
      (after: { day: string; query: string; searches: number } | null, limit) =>
        listMisses(db, range, { after, limit }),
      ({ query, searches: times }) => sums.set(query, (sums.get(query) ?? 0) + times),
    );
    const all = [...sums];
    const most = all.toSorted(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
    return {
      values: { searches: sumOf(all, ([, times]) => times), different: all.length },
      rows: most
        .slice(0, MOST_SEARCHES)
        .map(([query, times]) => row([query, times], `/search?q=${encodeURIComponent(query)}`)),
    };
  },
};
