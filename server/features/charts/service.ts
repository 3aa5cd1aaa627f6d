import type { Chart, ChartEntry } from '#contract/charts.ts';
import { daysUntil, pointsOf } from '#contract/rules/chart.ts';
import { dayOf } from '#contract/rules/days.ts';
import { openFacts } from '../../db/catalogue-facts.ts';
import type { Db } from '../../db/connect.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../http/app-error.ts';
import type { Viewer } from '../../http/guards.ts';
import { listTracksById } from '../tracks/service.ts';
import {
  findChart,
  findNeighbour,
  findNewestArchived,
  listEntries,
  LIVE,
  type ChartEntryRow,
  type ChartRow,
} from './queries.ts';

type RankedEntry = { trackId: string; ranking: Omit<ChartEntry, 'track'> };

function presentRanking(entry: ChartEntryRow): RankedEntry {
  const days = { subscriberDays: entry.subscriber_days, freeDays: entry.free_days };
  const ranking = {
    rank: entry.rank,
    movement: entry.previous_rank === null ? null : entry.previous_rank - entry.rank,
    previousRank: entry.previous_rank,
    peak: entry.peak,
    weeksOnChart: entry.weeks_on_chart,
    recent: JSON.parse(entry.recent) as (number | null)[],
    points: pointsOf(days),
    ...days,
  };
  return { trackId: entry.track_id, ranking };
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
  return {
    chart: await findChart(db, key),
    entries: (await listEntries(db, key)).map(presentRanking),
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
  const facts = await openFacts(db);
  const { entries, neighbours, ...known } = await facts.read(`chart:${week ?? LIVE}`, () =>
    loadChart(db, week),
  );
  const chart = known.chart ?? (week ? undefined : emptyLiveChart(deps));
  if (!chart) throw new AppError('not_found', { message: 'No chart for that week.' });
  const ids = entries.map(({ trackId }) => trackId);
  const tracks = await listTracksById(deps, viewer, ids, facts);
  const byId = new Map(tracks.map((track) => [track.id, track]));
  return {
    asOf: chart.as_of,
    week: week ?? null,
    from: chart.from_day,
    to: chart.to_day,
    ...neighbours,
    items: entries.flatMap(({ trackId, ranking }) => {
      const track = byId.get(trackId);
      return track ? [{ ...ranking, track }] : [];
    }),
  };
}
