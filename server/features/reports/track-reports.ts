import type { DayRange } from '#contract/rules/report-days.ts';
import { formatWeekKey } from '#contract/rules/weeks.ts';
import type { Db } from '../../db/connect.ts';
import { sumPlays } from './play-sums.ts';
import { forEachRow } from './read-in-batches.ts';
import {
  type FigureList,
  type ListCursor,
  type ListedRow,
  type ReportContext,
  type ReportDefinition,
  row,
  sumOf,
} from './report.ts';
import { listTrackNames } from '../tracks/service.ts';

type TrackWeek = { id: string; year: number; week: number };

const listTrackWeeks = (db: Db, after: TrackWeek | null, limit: number): Promise<TrackWeek[]> => {
  let query = db.selectFrom('tracks').select(['id', 'year', 'week']);
  if (after) query = query.where('id', '>', after.id);
  return query.orderBy('id').limit(limit).execute();
};

async function sumByWeek({ db }: ReportContext, range: DayRange) {
  const plays = await sumPlays(db, range);
  const weeks = new Map<string, { year: number; week: number; plays: number }>();
  await forEachRow(
    (after: { id: string; year: number; week: number } | null, limit) =>
      listTrackWeeks(db, after, limit),
    ({ id, year, week }) => {
      const key = formatWeekKey({ year, week });
      const sum = weeks.get(key) ?? { year, week, plays: 0 };
      weeks.set(key, { ...sum, plays: sum.plays + (plays.get(id) ?? 0) });
    },
  );
  return [...weeks].toSorted(([a], [b]) => (a < b ? -1 : 1));
}

export const releases: ReportDefinition = {
  title: 'Plays by release week',
  definition: 'Plays in this period, grouped by the mix’s week. Weeks with no plays are hidden.',
  plot: 'week-bars',
  columns: [
    { key: 'release', label: 'Release', kind: 'text' },
    { key: 'week', label: 'Week', kind: 'week' },
    { key: 'plays', label: 'Plays', kind: 'count' },
  ],
  figures: {
    weeks: {
      label: 'Weeks played',
      definition: 'Weeks with at least one play.',
      unit: 'count',
    },
    plays: {
      label: 'Plays',
      definition: 'Total plays.',
      unit: 'count',
      isGoodWhen: 'more',
    },
  },
  compares: 'figures',
  async read(context, range) {
    const weeks = (await sumByWeek(context, range)).filter(([, { plays }]) => plays > 0);
    return {
      values: { weeks: weeks.length, plays: sumOf(weeks, ([, { plays }]) => plays) },
      rows: weeks.map(([key, { year, week, plays }]) =>
        row([key, week, plays], `/admin/tracks?q=w${week}&year=${year}`),
      ),
    };
  },
};

const MAX_TRACKS = 200;

const columns: FigureList['columns'] = [
  { key: 'title', label: 'Mix', kind: 'text' },
  { key: 'week', label: 'Week', kind: 'week' },
  { key: 'plays', label: 'Plays', kind: 'count' },
  { key: 'release', label: 'Release', kind: 'text' },
];

type Played = [id: string, plays: number];

/** Most-played first. A catalogue has a few thousand tracks at most. */
const rankTracks = async (db: Db, range: DayRange): Promise<Played[]> =>
  [...(await sumPlays(db, range))]
    .filter(([, plays]) => plays > 0)
    .toSorted(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));

async function describeTracks(db: Db, played: readonly Played[]): Promise<ListedRow[]> {
  const named = await listTrackNames(
    db,
    played.map(([id]) => id),
  );
  const byId = new Map(named.map((track) => [track.id, track]));
  return played.flatMap(([id, plays]) => {
    const track = byId.get(id);
    if (!track) return [];
    const cells = [track.title, track.week, plays, formatWeekKey(track)];
    return [{ row: row(cells, `/track/${id}`), cursor: [String(plays), id] satisfies ListCursor }];
  });
}

const isAfter = ([id, plays]: Played, [order, last]: ListCursor): boolean =>
  plays < Number(order) || (plays === Number(order) && id > last);

const playedTracks: FigureList = {
  columns,
  read: async ({ db }, range, { after, limit }) => {
    const ranked = await rankTracks(db, range);
    const rest = after ? ranked.filter((played) => isAfter(played, after)) : ranked;
    return describeTracks(db, rest.slice(0, limit));
  },
};

export const tracks: ReportDefinition = {
  title: 'Most-played mixes',
  definition: `Plays per mix in this period (top ${MAX_TRACKS}).`,
  plot: 'ranking',
  columns,
  figures: {
    tracks: {
      label: 'Mixes played',
      definition: 'Mixes with at least one play.',
      unit: 'count',
      list: playedTracks,
    },
  },
  compares: 'figures',
  async read({ db }, range) {
    const ranked = await rankTracks(db, range);
    const most = await describeTracks(db, ranked.slice(0, MAX_TRACKS));
    return { values: { tracks: ranked.length }, rows: most.map((one) => one.row) };
  },
};
