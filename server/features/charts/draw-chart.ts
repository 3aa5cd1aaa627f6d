import {
  CHART_SIZE,
  pointsOf,
  rankCandidates,
  standingOf,
  type Candidate,
  type ListenerDays,
} from '#contract/rules/chart.ts';
import type { Db } from '../../db/connect.ts';
import {
  LIVE,
  listChartsBefore,
  listDayRows,
  listPastPlaces,
  listPublicTracks,
  replaceChart,
  type ChartEntryRow,
  type ChartRow,
  type DayRow,
} from './queries.ts';

/** Read in parts, so that a large week does not keep the server from answering. */
const PART = 2_000;
/** More than enough for a chart, unless many of the best are hidden or have equal points. */
const CANDIDATES = 200;

/** Sorts after every week: all frozen charts come before the live one. */
const AFTER_ALL_WEEKS = '9999-W99';

type Window = { from: string; to: string };
type Totals = Map<string, ListenerDays>;

async function sumDays(db: Db, window: Window): Promise<Totals> {
  const totals: Totals = new Map();
  let after: DayRow | null = null;
  for (;;) {
    const rows = await listDayRows(db, { ...window, after, limit: PART });
    for (const row of rows) {
      const total = totals.get(row.track_id) ?? { subscriberDays: 0, freeDays: 0 };
      total.subscriberDays += row.subscriber_listeners;
      total.freeDays += row.free_listeners;
      totals.set(row.track_id, total);
    }
    after = rows.at(-1) ?? null;
    if (rows.length < PART) return totals;
  }
}

/** Looks up tracks from the top until nothing below can reach the chart any more. */
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

async function placeEntries(
  db: Db,
  chart: string,
  ranked: readonly Candidate[],
): Promise<ChartEntryRow[]> {
  const before = chart === LIVE ? AFTER_ALL_WEEKS : chart;
  const earlier = (await listChartsBefore(db, before)).map((row) => row.chart);
  const ago = new Map(earlier.map((name, index) => [name, index + 1]));
  const ids = ranked.map((candidate) => candidate.trackId);
  const places = await listPastPlaces(db, ids, before);
  return ranked.map(({ trackId, subscriberDays, freeDays }, index) => {
    const past = places
      .filter((place) => place.track_id === trackId)
      .map((place) => ({ ago: ago.get(place.chart) ?? earlier.length, rank: place.rank }));
    const standing = standingOf(index + 1, past);
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

/** Ranks a window of days, and writes the places with all that is said of them in one go. */
export async function drawChart(
  db: Db,
  { chart, as_of, from_day, to_day }: ChartRow,
): Promise<void> {
  const totals = await sumDays(db, { from: from_day, to: to_day });
  const ranked = rankCandidates(await findCandidates(db, totals, as_of));
  const entries = await placeEntries(db, chart, ranked);
  await db
    .transaction()
    .execute((tx) => replaceChart(tx, { chart, as_of, from_day, to_day }, entries));
}
