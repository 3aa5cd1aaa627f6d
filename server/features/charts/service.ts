import type { Chart, ChartEntry } from '#contract/charts.ts';
import { daysUntil, pointsOf } from '#contract/rules/chart.ts';
import { dayOf } from '#contract/rules/days.ts';
import type { Track } from '#contract/tracks.ts';
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

function presentEntry(entry: ChartEntryRow, track: Track): ChartEntry {
  const days = { subscriberDays: entry.subscriber_days, freeDays: entry.free_days };
  return {
    rank: entry.rank,
    track,
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

async function findNeighbours(deps: Deps, week: string | undefined) {
  const { db } = deps.database;
  if (!week) return { previousWeek: (await findNewestArchived(db))?.chart ?? null, nextWeek: null };
  return {
    previousWeek: await findNeighbour(db, week, 'before'),
    nextWeek: await findNeighbour(db, week, 'after'),
  };
}

/** A hidden track leaves a gap; the others keep their ranks. */
export async function getChart(
  deps: Deps,
  viewer: Viewer | null,
  { week }: { week?: string | undefined },
): Promise<Chart> {
  const { db } = deps.database;
  const key = week ?? LIVE;
  const chart = (await findChart(db, key)) ?? (week ? undefined : emptyLiveChart(deps));
  if (!chart) throw new AppError('not_found', { message: 'No chart for that week.' });
  const entries = await listEntries(db, key);
  const tracks = await listTracksById(
    deps,
    viewer,
    entries.map((entry) => entry.track_id),
  );
  const byId = new Map(tracks.map((track) => [track.id, track]));
  return {
    asOf: chart.as_of,
    week: week ?? null,
    from: chart.from_day,
    to: chart.to_day,
    ...(await findNeighbours(deps, week)),
    items: entries.flatMap((entry) => {
      const track = byId.get(entry.track_id);
      return track ? [presentEntry(entry, track)] : [];
    }),
  };
}
