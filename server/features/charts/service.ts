import type { Chart, ChartEntry } from '#contract/charts.ts';
import { daysUntil, pointsOf } from '#contract/rules/chart.ts';
import { dayOf } from '#contract/rules/days.ts';
import type { Db } from '../../db/connect.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../http/route/app-error.ts';
import type { Viewer } from '../../http/route/guards.ts';
import { addOwnStates, openCatalogue } from '../tracks/service.ts';
import {
  findChart,
  findNeighbour,
  findNewestArchived,
  listEntries,
  LIVE,
  type ChartEntryRow,
  type ChartRow,
} from './queries.ts';

type Ranking = Omit<ChartEntry, 'track'>;

function presentRanking(entry: ChartEntryRow): Ranking {
  const days = { subscriberDays: entry.subscriber_days, freeDays: entry.free_days };
  return {
    rank: entry.rank,
    movement: entry.previous_rank === null ? null : entry.previous_rank - entry.rank,
    previousRank: entry.previous_rank,
    peak: entry.peak,
    weeksOnChart: entry.weeks_on_chart,
    recent: JSON.parse(entry.recent) as (number | null)[],
    points: pointsOf(days),
    ...days,
  };
}

/** Shown before the first chart is calculated. */
function emptyLiveChart({ clock, config }: Deps): ChartRow {
  const now = clock.now();
  const { from, to } = daysUntil(dayOf(now, config.timeZone));
  return { chart: LIVE, as_of: now, from_day: from, to_day: to };
}

async function findNeighbours(db: Db, week: string | undefined) {
  if (!week) return { previousWeek: (await findNewestArchived(db))?.chart ?? null, nextWeek: null };
  return {
    previousWeek: await findNeighbour(db, week, 'before'),
    nextWeek: await findNeighbour(db, week, 'after'),
  };
}

/** The same for everyone, except for the tracks themselves. */
async function loadChart(db: Db, week: string | undefined) {
  const key = week ?? LIVE;
  const entries = await listEntries(db, key);
  return {
    chart: await findChart(db, key),
    rankings: new Map(entries.map((entry) => [entry.track_id, presentRanking(entry)])),
    neighbours: await findNeighbours(db, week),
  };
}

/** A hidden track leaves a gap; the others keep their ranks. */
export async function getChart(
  deps: Deps,
  viewer: Viewer | null,
  { week }: { week?: string | undefined },
): Promise<Chart> {
  const { db } = deps.database;
  const catalogue = await openCatalogue(deps, viewer?.user ?? null, viewer?.facts);
  const { rankings, neighbours, ...known } = await catalogue.facts.read(
    `chart:${week ?? LIVE}`,
    () => loadChart(db, week),
  );
  const chart = known.chart ?? (week ? undefined : emptyLiveChart(deps));
  if (!chart) throw new AppError('not_found', { message: 'No chart for that week.' });
  const tracks = await catalogue.readAny([...rankings.keys()]);
  const presented = await catalogue.present(tracks);
  return {
    asOf: chart.as_of,
    week: week ?? null,
    from: chart.from_day,
    to: chart.to_day,
    ...neighbours,
    items: presented.flatMap((track) => {
      const ranking = rankings.get(track.id);
      return ranking ? [{ ...ranking, track }] : [];
    }),
  };
}

/** Adds what the viewer has done with the tracks; the same entries where that is nothing. */
export async function addOwnToEntries(
  deps: Deps,
  viewer: Viewer,
  entries: ChartEntry[],
): Promise<ChartEntry[]> {
  const tracks = entries.map(({ track }) => track);
  const own = await addOwnStates(deps, viewer, tracks);
  if (own === tracks) return entries;
  return entries.map((entry, index) => {
    const track = own[index] ?? entry.track;
    return track === entry.track ? entry : { ...entry, track };
  });
}
