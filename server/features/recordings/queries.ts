import { sql, type Expression, type SqlBool } from 'kysely';
import { z } from 'zod';
import type { Gap } from '#contract/tracklists/recording.ts';
import type { PageQuery } from '#contract/paging.ts';
import type { Db, DialectName } from '../../db/connect.ts';
import type { RecordingsTable } from '../../db/types/recording-tables.ts';
import { CursorId, paginate, type RowPage } from '../../http/route/paginate.ts';

export type RecordingRow = RecordingsTable;

export const findRecordings = (db: Db, ids: readonly string[]): Promise<RecordingRow[]> =>
  ids.length === 0
    ? Promise.resolve([])
    : db.selectFrom('recordings').selectAll().where('id', 'in', ids).execute();

const ADVISORY_LOCK = 3_360_917_482;

/**
 * Whoever decides which recording a line plays, or merges two, does it alone: otherwise a line could
 * be left with a recording that was merged away. Before any row is locked, so that nobody waits forever.
 */
export async function lockLinks(tx: Db, dialect: DialectName): Promise<void> {
  // SQLite has one writer at a time.
  if (dialect === 'postgres')
    await sql`select pg_advisory_xact_lock(${sql.lit(ADVISORY_LOCK)})`.execute(tx);
}

export const findByIsrc = (db: Db, codes: readonly string[]): Promise<RecordingRow[]> =>
  codes.length === 0
    ? Promise.resolve([])
    : db.selectFrom('recordings').selectAll().where('isrc', 'in', codes).execute();

/** Those that have one of these names, or that a mix plays under one of them, with that name. */
export async function findByNames(
  db: Db,
  keys: readonly string[],
): Promise<(RecordingRow & { key: string })[]> {
  if (keys.length === 0) return [];
  const [named, played] = await Promise.all([
    db
      .selectFrom('recordings')
      .selectAll()
      .select('name_key as key')
      .where('name_key', 'in', keys)
      .execute(),
    db
      .selectFrom('track_recordings')
      .innerJoin('recordings', 'recordings.id', 'recording_id')
      .selectAll('recordings')
      .select('track_recordings.name_key as key')
      .distinct()
      .where('track_recordings.name_key', 'in', keys)
      .execute(),
  ]);
  const byIdAndKey = new Map([...named, ...played].map((row) => [`${row.id} ${row.key}`, row]));
  return [...byIdAndKey.values()];
}

export const insertRecording = (tx: Db, row: RecordingRow) =>
  tx.insertInto('recordings').values(row).execute();

/** Unless it is here already. */
export const insertSaved = (tx: Db, row: RecordingRow) =>
  tx
    .insertInto('recordings')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute();

/** Those that mixes play. Deleted mixes don’t count. */
export const listPlayed = (db: Db): Promise<RecordingRow[]> =>
  db
    .selectFrom('recordings')
    .selectAll()
    .where('id', 'in', (select) =>
      select
        .selectFrom('track_recordings')
        .innerJoin('tracks', 'tracks.id', 'track_id')
        .select('recording_id')
        .where('deleted_at', 'is', null),
    )
    .orderBy('id')
    .execute();

/** Undefined when someone else changed it first. */
export const updateRecording = (
  tx: Db,
  { id, updated_at }: Pick<RecordingRow, 'id' | 'updated_at'>,
  change: Partial<RecordingRow>,
): Promise<RecordingRow | undefined> =>
  tx
    .updateTable('recordings')
    .set(change)
    .where('id', '=', id)
    .where('updated_at', '=', updated_at)
    .returningAll()
    .executeTakeFirst();

export const deleteRecording = (tx: Db, id: string) =>
  tx.deleteFrom('recordings').where('id', '=', id).execute();

/** Undefined when someone else changed the tracklist first. */
export const updateChapters = (
  tx: Db,
  { id, version }: { id: string; version: number },
  chapters: string,
) =>
  tx
    .updateTable('tracks')
    .set({ chapters, version: version + 1 })
    .where('id', '=', id)
    .where('version', '=', version)
    .returning('id')
    .executeTakeFirst();

export async function replaceTrackRecordings(
  tx: Db,
  trackId: string,
  played: readonly { recording_id: string; name_key: string }[],
): Promise<void> {
  await tx.deleteFrom('track_recordings').where('track_id', '=', trackId).execute();
  if (played.length === 0) return;
  await tx
    .insertInto('track_recordings')
    .values(played.map((row) => ({ track_id: trackId, ...row })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/**
 * Every mix that plays `from`, or did before its audio was replaced, plays `into`. Ids are random, so
 * no title contains one.
 */
export async function movePlayed(tx: Db, from: string, into: string): Promise<void> {
  await sql`
    update tracks set chapters = replace(chapters, ${`"${from}"`}, ${`"${into}"`})
    where id in (select track_id from track_recordings where recording_id = ${from})`.execute(tx);
  await sql`
    update past_tracklists set chapters = replace(chapters, ${`"${from}"`}, ${`"${into}"`})
    where chapters like ${`%"${from}"%`}`.execute(tx);
  await sql`
    insert into track_recordings (track_id, recording_id, name_key)
    select track_id, ${into}, name_key from track_recordings where recording_id = ${from}
    on conflict do nothing`.execute(tx);
}

export type PlayedIn = {
  recording_id: string;
  id: string;
  title: string;
  week: number;
  year: number;
};

/** The mixes that play these recordings, newest first. Deleted ones don’t count. */
export const listPlayedIn = (db: Db, recordingIds: readonly string[]): Promise<PlayedIn[]> =>
  recordingIds.length === 0
    ? Promise.resolve([])
    : db
        .selectFrom('track_recordings')
        .innerJoin('tracks', 'tracks.id', 'track_id')
        .select(['recording_id', 'tracks.id', 'title', 'week', 'year'])
        .distinct()
        .where('recording_id', 'in', recordingIds)
        .where('deleted_at', 'is', null)
        .orderBy('year', 'desc')
        .orderBy('week', 'desc')
        .orderBy('tracks.id', 'desc')
        .execute();

export type ListedGap = Exclude<Gap, 'time'> | 'sharedIsrc';

const needed = (column: 'publisher' | 'label' | 'isrc') =>
  sql<SqlBool>`(${sql.ref(column)} is null and is_own = 0)`;

/** The same rules as `findGaps`, in SQL. */
const gaps: Record<ListedGap, Expression<SqlBool>> = {
  artist: sql<SqlBool>`artist is null`,
  composer: sql<SqlBool>`composer is null`,
  publisher: needed('publisher'),
  label: needed('label'),
  isrc: needed('isrc'),
  sharedIsrc: sql<SqlBool>`isrc is not null and exists (select 1 from recordings as others
    where others.isrc = recordings.isrc and others.id <> recordings.id)`,
};

const escapeLike = (text: string) => text.replaceAll(/[\\%_]/g, (letter) => `\\${letter}`);
const CursorKey = z.string().max(1000);

export function listRecordings(
  db: Db,
  {
    words,
    isrc,
    gap,
  }: { words: readonly string[]; isrc: string | null; gap?: ListedGap | undefined },
  page: PageQuery,
): Promise<RowPage<RecordingRow>> {
  let query = db.selectFrom('recordings').selectAll();
  if (gap) query = query.where(gaps[gap]);
  if (isrc) query = query.where('isrc', '=', isrc);
  else
    for (const word of words) {
      const like = `%${escapeLike(word)}%`;
      query = query.where(
        sql<SqlBool>`(name_key like ${like} escape '\\'
          or lower(coalesce(version, '')) like ${like} escape '\\')`,
      );
    }
  return paginate(query, page, {
    orderBy: [
      ['name_key', CursorKey],
      ['id', CursorId],
    ],
    direction: 'asc',
  });
}
