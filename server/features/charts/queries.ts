import type { Db } from '../../db/connect.ts';
import { startAfter } from '../../db/keyset.ts';
import type {
  ChartEntriesTable,
  ChartsTable,
  PlayDaysTable,
} from '../../db/types/listening-tables.ts';

export const LIVE = 'live';

export type ChartRow = ChartsTable;
export type ChartEntryRow = ChartEntriesTable;
export type DayRow = Pick<
  PlayDaysTable,
  'day' | 'track_id' | 'subscriber_listeners' | 'free_listeners'
>;

/** One batch of rows, in the order of their key. */
export const listDayRows = (
  db: Db,
  { from, to, after, limit }: { from: string; to: string; after: DayRow | null; limit: number },
): Promise<DayRow[]> =>
  db
    .selectFrom('play_days')
    .select(['day', 'track_id', 'subscriber_listeners', 'free_listeners'])
    .where(startAfter(['day', 'track_id'], after && [after.day, after.track_id], from))
    .where('day', '<=', to)
    .orderBy('day')
    .orderBy('track_id')
    .limit(limit)
    .execute();

export async function findFirstDay(db: Db): Promise<string | undefined> {
  const row = await db
    .selectFrom('play_days')
    .select('day')
    .orderBy('day')
    .orderBy('track_id')
    .limit(1)
    .executeTakeFirst();
  return row?.day;
}

/** The chart is the same for everyone, so it ranks only tracks that everyone can see. */
export const listPublicTracks = (db: Db, ids: readonly string[], asOf: number) =>
  db
    .selectFrom('tracks')
    .select(['id', 'year', 'week'])
    .where('id', 'in', ids)
    .where('publish_at', '<=', asOf)
    .where('is_subscriber_only', '=', 0)
    .execute();

/** The archived charts before this one, newest first. */
export const listChartsBefore = (db: Db, chart: string): Promise<{ chart: string }[]> =>
  db
    .selectFrom('charts')
    .select('chart')
    .where('chart', '<', chart)
    .where('chart', '!=', LIVE)
    .orderBy('chart', 'desc')
    .execute();

export const listPastRanks = (db: Db, ids: readonly string[], before: string) =>
  ids.length === 0
    ? Promise.resolve([])
    : db
        .selectFrom('chart_entries')
        .select(['chart', 'track_id', 'rank'])
        .where('track_id', 'in', ids)
        .where('chart', '<', before)
        .where('chart', '!=', LIVE)
        .execute();

export const findNewestArchived = (db: Db): Promise<ChartRow | undefined> =>
  db
    .selectFrom('charts')
    .selectAll()
    .where('chart', '!=', LIVE)
    .orderBy('chart', 'desc')
    .limit(1)
    .executeTakeFirst();

/** Of weeks that aren't over: they were archived while the clock was fast. */
export const deleteChartsAfter = (db: Db, now: number) =>
  db.transaction().execute(async (tx) => {
    const isFrozen = tx
      .selectFrom('charts')
      .select('chart')
      .where('chart', '!=', LIVE)
      .where('as_of', '>', now);
    await tx.deleteFrom('chart_entries').where('chart', 'in', isFrozen).execute();
    await tx.deleteFrom('charts').where('chart', '!=', LIVE).where('as_of', '>', now).execute();
  });

export async function replaceChart(
  db: Db,
  chart: ChartRow,
  entries: readonly ChartEntryRow[],
): Promise<void> {
  await db.deleteFrom('chart_entries').where('chart', '=', chart.chart).execute();
  await db
    .insertInto('charts')
    .values(chart)
    .onConflict((conflict) =>
      conflict.column('chart').doUpdateSet({
        as_of: chart.as_of,
        from_day: chart.from_day,
        to_day: chart.to_day,
      }),
    )
    .execute();
  if (entries.length > 0) await db.insertInto('chart_entries').values(entries).execute();
}

export const findChart = (db: Db, chart: string): Promise<ChartRow | undefined> =>
  db.selectFrom('charts').selectAll().where('chart', '=', chart).executeTakeFirst();

export const listEntries = (db: Db, chart: string): Promise<ChartEntryRow[]> =>
  db.selectFrom('chart_entries').selectAll().where('chart', '=', chart).orderBy('rank').execute();

/** The archived chart just before or after this one. */
export async function findNeighbour(
  db: Db,
  chart: string,
  side: 'before' | 'after',
): Promise<string | null> {
  const row = await db
    .selectFrom('charts')
    .select('chart')
    .where('chart', side === 'before' ? '<' : '>', chart)
    .where('chart', '!=', LIVE)
    .orderBy('chart', side === 'before' ? 'desc' : 'asc')
    .limit(1)
    .executeTakeFirst();
  return row?.chart ?? null;
}
