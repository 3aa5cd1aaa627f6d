import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Db, Tx } from '../../db/connect.ts';
import { compareColumns, startAfter } from '../../db/keyset.ts';
import type { PlaysTable } from '../../db/types/listening-tables.ts';
import type {
  HeardDaysTable,
  PastTracklistsTable,
  UsageDaysTable,
} from '../../db/types/usage-tables.ts';

type Days = {
  fromDay: string;
  toDay: string;
  /** Only this track. */
  trackId?: string;
};

/** A busy mix has the spans of thousands of plays in a row. */
const PAGE_SIZE = 50;

/** Every row of these days, page by page, by day. */
export async function* listHeardDays(
  db: Db,
  { fromDay, toDay, trackId }: Days,
): AsyncGenerator<HeardDaysTable> {
  let last: HeardDaysTable | undefined;
  do {
    let query = db
      .selectFrom('heard_days')
      .selectAll()
      .where('day', '>=', last?.day ?? fromDay)
      .where('day', '<=', toDay);
    if (trackId !== undefined) query = query.where('track_id', '=', trackId);
    if (last)
      query = query.where(
        compareColumns(['day', 'track_id', 'kind', 'until_at'], '>', [
          last.day,
          last.track_id,
          last.kind,
          last.until_at,
        ]),
      );
    const rows = await query
      .orderBy('day')
      .orderBy('track_id')
      .orderBy('kind')
      .orderBy('until_at')
      .limit(PAGE_SIZE)
      .execute();
    yield* rows;
    // SQLite answers at once: without a pause, requests would wait until the last page.
    await setImmediate();
    last = rows.length < PAGE_SIZE ? undefined : rows.at(-1);
  } while (last);
}

export const listUsageDays = (db: Db, { fromDay, toDay }: Days) =>
  db
    .selectFrom('usage_days')
    .selectAll()
    .where('day', '>=', fromDay)
    .where('day', '<=', toDay)
    .execute();

/** The last days that are added up, the last one first. */
export const listLastUsageDays = (db: Db, limit: number): Promise<UsageDaysTable[]> =>
  db.selectFrom('usage_days').selectAll().orderBy('day', 'desc').limit(limit).execute();

export const setChecked = (db: Db, day: string, now: number) =>
  db.updateTable('usage_days').set({ checked_at: now }).where('day', '=', day).execute();

/** What podcast apps asked for isn't in the plays, so it stays. */
const deleteDay = (tx: Tx, day: string) =>
  tx.deleteFrom('heard_days').where('day', '=', day).where('kind', '<>', 'podcast').execute();

const MAX_INSERT_ROWS = 100;

/** Writes a day, or writes it again. */
export async function saveDay(tx: Tx, day: UsageDaysTable, rows: readonly HeardDaysTable[]) {
  await deleteDay(tx, day.day);
  for (let from = 0; from < rows.length; from += MAX_INSERT_ROWS)
    await tx
      .insertInto('heard_days')
      .values(rows.slice(from, from + MAX_INSERT_ROWS))
      .execute();
  await tx
    .insertInto('usage_days')
    .values(day)
    .onConflict((conflict) => conflict.column('day').doNothing())
    .execute();
}

/** A clock that was fast let days be added up before they were over. Only while it is steady. */
export const takeBackDays = (db: Db, now: number): Promise<void> =>
  db.transaction().execute(async (tx) => {
    const early = await tx
      .deleteFrom('usage_days')
      .where('to_at', '>', now)
      .returning('day')
      .execute();
    for (const { day } of early) await deleteDay(tx, day);
  });

export const listMeasuredTracks = (db: Db) =>
  db.selectFrom('tracks').select(['id', 'duration_ms', 'preview_start_ms']).execute();

/** On which days tracks were heard whose audio was replaced at any time, and which audio if it is known. */
export const listReplacedDays = (db: Db, { fromDay, toDay }: Days) =>
  db
    .selectFrom('heard_days')
    .select(['day', 'track_id', 'until_at'])
    .distinct()
    .where('day', '>=', fromDay)
    .where('day', '<=', toDay)
    .where('track_id', 'in', ({ selectFrom }) =>
      selectFrom('past_tracklists').select('past_tracklists.track_id'),
    )
    .execute();

/** The audio that tracks had before, the earliest first. */
export const listReplacements = (db: Db, trackId?: string) => {
  const query = db
    .selectFrom('past_tracklists')
    .select(['track_id', 'until_at', 'duration_ms'])
    .orderBy('track_id')
    .orderBy('until_at');
  return (trackId === undefined ? query : query.where('track_id', '=', trackId)).execute();
};

export const insertPastTracklist = (tx: Tx, row: PastTracklistsTable) =>
  tx
    .insertInto('past_tracklists')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute();

/** Few enough that pages don't wait while SQLite reads them. */
const PLAYS_PER_PAGE = 2000;

type TrackPlays = { trackId: string; fromAt: number; toAt: number };

/** The plays of a track that started in this time, except those of staff. */
export async function* listPlays(db: Db, { trackId, fromAt, toAt }: TrackPlays) {
  let last: Pick<PlaysTable, 'id' | 'started_at'> | undefined;
  do {
    let query = db
      .selectFrom('plays')
      .select(['id', 'is_subscriber', 'source', 'started_at', 'listened_ms', 'position_ms'])
      .where('track_id', '=', trackId)
      .where('started_at', '>=', last?.started_at ?? fromAt)
      .where('started_at', '<', toAt)
      .where((eb) => eb('source', 'is', null).or('source', '<>', 'staff'));
    if (last)
      query = query.where(compareColumns(['started_at', 'id'], '>', [last.started_at, last.id]));
    const rows = await query.orderBy('started_at').orderBy('id').limit(PLAYS_PER_PAGE).execute();
    yield* rows;
    await setImmediate();
    last = rows.length < PLAYS_PER_PAGE ? undefined : rows.at(-1);
  } while (last);
}

export const findNextStart = async (db: Db, trackId: string, fromAt: number) =>
  (
    await db
      .selectFrom('plays')
      .select('started_at')
      .where('track_id', '=', trackId)
      .where('started_at', '>=', fromAt)
      .orderBy('started_at')
      .limit(1)
      .executeTakeFirst()
  )?.started_at;

/** When the plays that changed since a time began. */
export async function* listChangedPlays(db: Db, since: number) {
  let last: [number, string] | null = null;
  for (;;) {
    const rows: Pick<PlaysTable, 'id' | 'listened_at' | 'started_at'>[] = await db
      .selectFrom('plays')
      .select(['id', 'listened_at', 'started_at'])
      .where(startAfter(['listened_at', 'id'], last, since))
      .orderBy('listened_at')
      .orderBy('id')
      .limit(PLAYS_PER_PAGE)
      .execute();
    yield* rows;
    await setImmediate();
    const end = rows.at(-1);
    if (!end || rows.length < PLAYS_PER_PAGE) return;
    last = [end.listened_at, end.id];
  }
}

/** The first day on which podcast apps asked for mixes, up to this one. */
export const findRequestDay = async (db: Db, toDay = '9999') =>
  (
    await db
      .selectFrom('podcast_requests')
      .select('day')
      .where('day', '<=', toDay)
      .orderBy('day')
      .limit(1)
      .executeTakeFirst()
  )?.day;

/** Counts the feeds that asked for each mix on a day, and forgets them. */
export const countRequests = (db: Db, day: string): Promise<void> =>
  db.transaction().execute(async (tx) => {
    const counted = await tx
      .selectFrom('podcast_requests')
      .select(['track_id', ({ fn }) => fn.countAll<number>().as('plays')])
      .where('day', '=', day)
      .groupBy('track_id')
      .execute();
    for (const { track_id, plays } of counted)
      await tx
        .insertInto('heard_days')
        .values({
          day,
          track_id,
          kind: 'podcast',
          until_at: 0,
          spans: '[]',
          plays,
          listened_ms: 0,
          unplaced_ms: 0,
        })
        .onConflict((conflict) =>
          conflict
            .columns(['day', 'track_id', 'kind', 'until_at'])
            .doUpdateSet({ plays: sql<number>`heard_days.plays + excluded.plays` }),
        )
        .execute();
    await tx.deleteFrom('podcast_requests').where('day', '=', day).execute();
  });

type PodcastRequest = { day: string; trackId: string; feed: string };

export async function savePodcastRequest(db: Db, { day, trackId, feed }: PodcastRequest) {
  const known = await db
    .selectFrom('podcast_requests')
    .select('day')
    .where('day', '=', day)
    .where('track_id', '=', trackId)
    .where('feed', '=', feed)
    .executeTakeFirst();
  if (known) return;
  await db
    .insertInto('podcast_requests')
    .values({ day, track_id: trackId, feed })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export const findTracklist = (db: Db, trackId: string) =>
  db
    .selectFrom('tracks')
    .select(['chapters', 'duration_ms'])
    .where('id', '=', trackId)
    .executeTakeFirst();

/** Those of audio that was replaced. */
export const listTracklists = (db: Db, trackId: string) =>
  db
    .selectFrom('past_tracklists')
    .select(['until_at', 'chapters', 'duration_ms'])
    .where('track_id', '=', trackId)
    .execute();
