import {
  CHART_SIZE,
  pointsOf,
  rankCandidates,
  findStanding,
  type Candidate,
  type ListenerDays,
} from '#contract/rules/chart.ts';
import type { Db } from '../../db/connect.ts';
import {
  LIVE,
  listChartsBefore,
  listDayRows,
  listPastRanks,
  listPublicTracks,
  replaceChart,
  type ChartEntryRow,
  type ChartRow,
  type DayRow,
} from './queries.ts';

/** Loaded in batches, so that a busy week doesn't block the server. */
const BATCH = 2_000;
/** Enough for a chart, unless many of the best are hidden or tied. */
const CANDIDATES = 200;

/** Sorts after every week, so that all archived charts come before the live one. */
const AFTER_ALL_WEEKS = '9999-W99';

type Window = { from: string; to: string };
type Totals = Map<string, ListenerDays>;

async function sumDays(db: Db, window: Window): Promise<Totals> {
  const totals: Totals = new Map();
  let after: DayRow | null = null;
  for (;;) {
    const rows = await listDayRows(db, { ...window, after, limit: BATCH });
    for (const row of rows) {
      const total = totals.get(row.track_id) ?? { subscriberDays: 0, freeDays: 0 };
      total.subscriberDays += row.subscriber_listeners;
      total.freeDays += row.free_listeners;
      totals.set(row.track_id, total);
    }
    after = rows.at(-1) ?? null;
    if (rows.length < BATCH) return totals;
  }
}

/** Loads tracks from the top until none of the rest can reach the chart. */
async function findCandidates(db: Db, totals: Totals, asOf: number): Promise<Candidate[]> {
  const byPoints = [...totals].toSorted(([, a], [, b]) => pointsOf(b) - pointsOf(a));
  const candidates: Candidate[] = [];
  for (let at = 0; at < byPoints.length; at += CANDIDATES) {
    const part = new Map(byPoints.slice(at, at + CANDIDATES));
    const best = byPoints[at]?.[1];
    const last = candidates[CHART_SIZE - 1];
    if (last && best && pointsOf(best) < pointsOf(last)) break;
    for (const track of await listPublicTracks(db, [...part.keys()], asOf)) {
      const days = part.get(track.id);
      if (days) candidates.push({ trackId: track.id, ...track, ...days });
    }
    candidates.sort((a, b) => pointsOf(b) - pointsOf(a));
  }
  return candidates;
}

async function buildEntries(
  db: Db,
  chart: string,
  ranked: readonly Candidate[],
): Promise<ChartEntryRow[]> {
  const before = chart === LIVE ? AFTER_ALL_WEEKS : chart;
  const earlier = (await listChartsBefore(db, before)).map((row) => row.chart);
  const ago = new Map(earlier.map((name, index) => [name, index + 1]));
  const ids = ranked.map((candidate) => candidate.trackId);
  const pastRanks = await listPastRanks(db, ids, before);
  return ranked.map(({ trackId, subscriberDays, freeDays }, index) => {
    const past = pastRanks
      .filter(({ track_id }) => track_id === trackId)
      .map((entry) => ({ ago: ago.get(entry.chart) ?? earlier.length, rank: entry.rank }));
    const standing = findStanding(index + 1, past);
    return {
      chart,
      rank: index + 1,
      track_id: trackId,
      subscriber_days: subscriberDays,
      free_days: freeDays,
      previous_rank: standing.previousRank,
      peak: standing.peak,
      weeks_on_chart: standing.weeksOnChart,
      recent: JSON.stringify(standing.recent),
    };
  });
}

/** Ranks the tracks by the listeners of these days, and replaces the chart. */
export async function updateChart(
  db: Db,
  { chart, as_of, from_day, to_day }: ChartRow,
): Promise<void> {
  const totals = await sumDays(db, { from: from_day, to: to_day });
  const ranked = rankCandidates(await findCandidates(db, totals, as_of));
  const entries = await buildEntries(db, chart, ranked);
  await db
    .transaction()
    .execute((tx) => replaceChart(tx, { chart, as_of, from_day, to_day }, entries));
}
