import type { PageQuery } from '#contract/paging.ts';
import type { Db, DialectName, Tx } from '../../db/connect.ts';
import { exportRows, nameTrack } from '../../db/export-rows.ts';
import type { ClipsTable } from '../../db/types/clip-tables.ts';
import { CursorId, paginate } from '../../http/route/paginate.ts';
import { readPreviewStart } from '../../ports/media/preview-window.ts';
import { publishSignal } from '../live/service.ts';
import { isVisible } from '../tracks/service.ts';

/** So that of two clips at the same time the second sees the seconds of the first. */
export const lockTrack = (tx: Tx, dialect: DialectName, id: string) =>
  tx
    .selectFrom('tracks')
    .selectAll()
    .where('id', '=', id)
    .$if(dialect === 'postgres', (query) => query.forNoKeyUpdate())
    .executeTakeFirst();

/** The file that everyone with full access hears, and where the preview that is a file starts. */
export type ClippedFiles = { audioKey: string | undefined; previewFileMs: number | null };

export async function findFiles(
  db: Db,
  trackIds: readonly string[],
): Promise<(trackId: string) => ClippedFiles> {
  const rows = await db
    .selectFrom('renditions')
    .select(['track_id', 'name', 'key'])
    .where('track_id', 'in', trackIds)
    .where('name', 'in', ['stream', 'preview'])
    .execute();
  return (trackId) => {
    const keyOf = (name: string) =>
      rows.find((row) => row.track_id === trackId && row.name === name)?.key;
    return { audioKey: keyOf('stream'), previewFileMs: readPreviewStart(keyOf('preview') ?? '') };
  };
}

export type CountedSpan = Pick<ClipsTable, 'track_id' | 'audio_key' | 'start_s' | 'seconds'>;

/**
 * What of tracks is or was public, or soon will be. Each span once: clips that were removed stay, and
 * nobody counts how many of the same there were.
 */
export const listCounted = (
  db: Db,
  trackIds: readonly string[],
  { withWaiting = true } = {},
): Promise<CountedSpan[]> =>
  db
    .selectFrom('clips')
    .select(['track_id', 'audio_key', 'start_s', 'seconds'])
    .distinct()
    .where('track_id', 'in', trackIds)
    .where((eb) =>
      eb.or([
        eb('published_at', 'is not', null),
        ...(withWaiting ? [eb('state', '=', 'waiting')] : []),
      ]),
    )
    .execute();

/** The clips of a mix that there are, and those that wait. */
export const listLive = (db: Db, trackId: string): Promise<ClipsTable[]> =>
  db
    .selectFrom('clips')
    .selectAll()
    .where('track_id', '=', trackId)
    .where('state', 'in', ['ready', 'waiting'])
    .execute();

export async function countWaiting(db: Db, limit: number): Promise<number> {
  const rows = await db
    .selectFrom('clips')
    .select('id')
    .where('state', '=', 'waiting')
    .limit(limit)
    .execute();
  return rows.length;
}

export const insertClip = (tx: Tx, clip: ClipsTable) =>
  tx.insertInto('clips').values(clip).execute();

export const findClip = (db: Db, id: string): Promise<ClipsTable | undefined> =>
  db.selectFrom('clips').selectAll().where('id', '=', id).executeTakeFirst();

export const listOwnClips = (db: Db, userId: string, trackId: string): Promise<ClipsTable[]> =>
  db
    .selectFrom('clips')
    .selectAll()
    .where('user_id', '=', userId)
    .where('track_id', '=', trackId)
    .where('state', '<>', 'removed')
    .orderBy('id', 'desc')
    .execute();

/** A clip that is public now: of a mix that everyone may hear a preview of, or made for everyone. */
export const findPublicClip = (db: Db, id: string, now: number) =>
  db
    .selectFrom('clips')
    .innerJoin('tracks', 'tracks.id', 'clips.track_id')
    .selectAll('clips')
    .where('clips.id', '=', id)
    .where('clips.state', '=', 'ready')
    .where(isVisible({ publishedBy: now, includesSubscriberOnly: true }))
    .where((eb) => eb.or([eb('tracks.is_subscriber_only', '=', 0), eb('clips.is_teaser', '=', 1)]))
    .executeTakeFirst();

/** False if the clip isn't waiting any more. Whoever waits for it learns that something changed. */
async function moveWaiting(
  tx: Tx,
  id: string,
  change: Partial<ClipsTable>,
  now: number,
): Promise<boolean> {
  const row = await tx
    .updateTable('clips')
    .set(change)
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .returning('user_id')
    .executeTakeFirst();
  if (row?.user_id) await publishSignal(tx, `user:${row.user_id}/clips`, now);
  return row !== undefined;
}

export const publishClip = (tx: Tx, id: string, sizes: object, now: number) =>
  moveWaiting(tx, id, { state: 'ready', sizes: JSON.stringify(sizes), published_at: now }, now);

export const failClip = (tx: Tx, id: string, now: number) =>
  moveWaiting(tx, id, { state: 'failed' }, now);

/** Undefined if there is none, or none any more. */
export const removeClip = (tx: Tx, id: string, now: number) =>
  tx
    .updateTable('clips')
    .set({ state: 'removed', removed_at: now })
    .where('id', '=', id)
    .where('state', '<>', 'removed')
    .returningAll()
    .executeTakeFirst();

export async function removeAllOf(tx: Tx, trackId: string, now: number): Promise<string[]> {
  const rows = await tx
    .updateTable('clips')
    .set({ state: 'removed', removed_at: now })
    .where('track_id', '=', trackId)
    .where('state', '<>', 'removed')
    .returning('id')
    .execute();
  return rows.map(({ id }) => id);
}

export const listForAdmin = (db: Db, trackId: string | undefined, page: PageQuery) =>
  paginate(
    db
      .selectFrom('clips')
      .innerJoin('tracks', 'tracks.id', 'clips.track_id')
      .leftJoin('users', 'users.id', 'clips.user_id')
      .selectAll('clips')
      .select([
        'users.username',
        'tracks.title',
        'tracks.year',
        'tracks.week',
        'tracks.deleted_at',
        'tracks.preview_start_ms',
        'tracks.duration_ms',
        'tracks.is_subscriber_only',
      ])
      .$if(trackId !== undefined, (query) => query.where('clips.track_id', '=', trackId ?? '')),
    page,
    { orderBy: [['clips.id', CursorId]] },
  );

/** The same audio is in another file now. */
export const setAudioKey = (tx: Tx, trackId: string, from: string, to: string) =>
  tx
    .updateTable('clips')
    .set({ audio_key: to })
    .where('track_id', '=', trackId)
    .where('audio_key', '=', from)
    .execute();

export const exportClips = (db: Db, userId: string, publishedBy: number) =>
  exportRows(
    db
      .selectFrom('clips')
      .innerJoin('tracks', 'tracks.id', 'clips.track_id')
      .select(['clips.id', 'track_id', 'start_s', 'clips.seconds', 'clips.state'])
      .select(['clips.created_at', 'clips.published_at', 'clips.removed_at'])
      .select(nameTrack(publishedBy))
      .where('clips.user_id', '=', userId),
    { id: 'clips.id' },
  );
