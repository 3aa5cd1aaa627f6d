import type { DayRange } from '#contract/rules/report-days.ts';
import { formatWeekKey } from '#contract/rules/weeks.ts';
import type { Db } from '../../db/connect.ts';
import {
  row,
  type FigureList,
  type ListedRow,
  type ListPosition,
  type ReportDefinition,
} from './report.ts';
import { sumPlays } from './sum-plays.ts';
import { listTracksById } from './track-queries.ts';

const MOST_TRACKS = 200;

const columns: FigureList['columns'] = [
  { key: 'title', label: 'Mix', kind: 'text' },
  { key: 'week', label: 'Week', kind: 'week' },
  { key: 'plays', label: 'Plays', kind: 'count' },
  { key: 'release', label: 'Release', kind: 'text' },
];

type Played = [id: string, plays: number];

/** The most played first; a catalogue is some thousands. */
const rankMixes = async (db: Db, range: DayRange): Promise<Played[]> =>
  [...(await sumPlays(db, range))]
    .filter(([, plays]) => plays > 0)
    .toSorted(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));

async function nameMixes(db: Db, played: readonly Played[]): Promise<ListedRow[]> {
  const named = await listTracksById(
    db,
    played.map(([id]) => id),
  );
  const byId = new Map(named.map((track) => [track.id, track]));
  return played.flatMap(([id, plays]) => {
    const track = byId.get(id);
    if (!track) return [];
    const cells = [track.title, track.week, plays, formatWeekKey(track)];
    return [
      { row: row(cells, `/track/${id}`), position: [String(plays), id] satisfies ListPosition },
    ];
  });
}

const isAfter = ([id, plays]: Played, [order, last]: ListPosition): boolean =>
  plays < Number(order) || (plays === Number(order) && id > last);

const everyMix: FigureList = {
  columns,
  read: async ({ db }, range, { after, limit }) => {
    const ranked = await rankMixes(db, range);
    const rest = after ? ranked.filter((played) => isAfter(played, after)) : ranked;
    return nameMixes(db, rest.slice(0, limit));
  },
};

export const tracks: ReportDefinition = {
  title: 'Most played mixes',
  definition: `Counted plays of each mix in these days, the ${MOST_TRACKS} most played.`,
  plot: 'ranking',
  columns,
  figures: {
    tracks: {
      label: 'Mixes played',
      definition: 'Mixes with at least one counted play in these days.',
      unit: 'count',
      list: everyMix,
    },
  },
  compares: 'figures',
  async read({ db }, range) {
    const ranked = await rankMixes(db, range);
    const most = await nameMixes(db, ranked.slice(0, MOST_TRACKS));
    return { values: { tracks: ranked.length }, rows: most.map((one) => one.row) };
  },
};
