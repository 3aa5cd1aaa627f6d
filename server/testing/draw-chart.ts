import type { Db } from '../db/connect.ts';
import { LIVE, replaceChart } from '../features/charts/queries.ts';

/** Writes a live chart with these tracks, in this order. */
export async function drawChart(db: Db, trackIds: readonly string[], now: number): Promise<void> {
  const chart = { chart: LIVE, as_of: now, from_day: 'a', to_day: 'b' };
  const entries = trackIds.map((track_id, index) => ({
    chart: LIVE,
    rank: index + 1,
    track_id,
    subscriber_days: 1,
    free_days: 0,
    previous_rank: null,
    peak: 1,
    weeks_on_chart: 1,
    recent: '[]',
  }));
  await db.transaction().execute((tx) => replaceChart(tx, chart, entries));
}
