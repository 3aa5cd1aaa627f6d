import type { PageQuery } from '#contract/paging.ts';
import type { Db, DialectName } from '../../db/connect.ts';
import type { PlaylistsTable } from '../../db/types/tables.ts';
import { CursorId, CursorNumber, paginate } from '../../http/route/paginate.ts';
import { exportRows, nameTrack } from '../../db/export-rows.ts';
import { isDisabled } from '../../db/is-disabled.ts';
import type { TrackPosition } from './plan-positions.ts';

export type PlaylistRow = PlaylistsTable;
export type ListedPlaylist = PlaylistRow & { track_count: number };

/** Creating and restoring wait for each other, so that neither exceeds the limit. */
export async function lockOwner(tx: Db, dialect: DialectName, userId: string): Promise<void> {
  const query = tx.selectFrom('users').select('id').where('id', '=', userId);
  await (dialect === 'postgres' ? query.forNoKeyUpdate() : query).execute();
}

export async function countPlaylists(db: Db, userId: string): Promise<number> {
  const { count } = await db
    .selectFrom('playlists')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow();
  return count;
}

export const insertPlaylist = (db: Db, playlist: PlaylistRow) =>
  db.insertInto('playlists').values(playlist).execute();

export const findByRequestKey = (db: Db, userId: string, requestKey: string) =>
  db
    .selectFrom('playlists')
    .selectAll()
    .where('user_id', '=', userId)
    .where('request_key', '=', requestKey)
    .executeTakeFirst();

/** Also finds deleted ones. */
export const findPlaylist = (db: Db, userId: string, id: string) =>
  db
    .selectFrom('playlists')
    .selectAll()
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst();

/** Needed before changing a playlist or its tracks. On SQLite the transaction is the lock. */
export const lockPlaylist = (tx: Db, dialect: DialectName, userId: string, id: string) =>
  tx
    .selectFrom('playlists')
    .selectAll()
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .$if(dialect === 'postgres', (query) => query.forNoKeyUpdate())
    .executeTakeFirst();

export const updatePlaylist = (db: Db, id: string, change: Partial<PlaylistRow>) =>
  db.updateTable('playlists').set(change).where('id', '=', id).execute();

const withTrackCount = (db: Db) =>
  db
    .selectFrom('playlists')
    .selectAll('playlists')
    .select((eb) =>
      eb
        .selectFrom('playlist_tracks')
        .select((count) => count.fn.countAll<number>().as('count'))
        .whereRef('playlist_id', '=', 'playlists.id')
        .$asScalar()
        .$notNull()
        .as('track_count'),
    );

/** Most recently edited first. */
export const listPlaylists = (db: Db, userId: string, page: PageQuery) =>
  paginate(withTrackCount(db).where('user_id', '=', userId).where('deleted_at', 'is', null), page, {
    orderBy: [
      ['updated_at', CursorNumber],
      ['id', CursorId],
    ],
  });

export const listDeleted = (
  db: Db,
  userId: string,
  { since, limit }: { since: number; limit: number },
) =>
  withTrackCount(db)
    .where('user_id', '=', userId)
    .where('deleted_at', '>', since)
    .orderBy('deleted_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();

/** Permanently deletes all but the newest deleted playlists of a user. */
export const deleteAllButNewest = (db: Db, userId: string, kept: number) =>
  db
    .deleteFrom('playlists')
    .where('user_id', '=', userId)
    .where('deleted_at', 'is not', null)
    .where('id', 'not in', (select) =>
      select
        .selectFrom('playlists')
        .select('id')
        .where('user_id', '=', userId)
        .where('deleted_at', 'is not', null)
        .orderBy('deleted_at', 'desc')
        .orderBy('id', 'desc')
        .limit(kept),
    )
    .execute();

/** Nothing of a disabled account is shared. */
export async function findShared(db: Db, token: string) {
  const row = await db
    .selectFrom('playlists')
    .innerJoin('users', 'users.id', 'playlists.user_id')
    .selectAll('playlists')
    .select('users.username')
    .select(isDisabled)
    .where('share_token', '=', token)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  return row?.is_disabled ? undefined : row;
}

const listExportedTracks = (db: Db, playlistId: string, publishedBy: number) =>
  db
    .selectFrom('playlist_tracks')
    .innerJoin('tracks', 'tracks.id', 'playlist_tracks.track_id')
    .select('tracks.id as trackId')
    .select(nameTrack(publishedBy))
    .select('playlist_tracks.added_at as addedAt')
    .where('playlist_id', '=', playlistId)
    .orderBy('position')
    .orderBy('track_id')
    .execute();

/** Every playlist with its tracks, including deleted ones that are still stored. */
export async function* exportPlaylists(db: Db, userId: string, publishedBy: number) {
  const rows = exportRows(
    db
      .selectFrom('playlists')
      .select(['id', 'name', 'description', 'share_token'])
      .select(['created_at', 'updated_at', 'deleted_at'])
      .where('user_id', '=', userId),
    { id: 'id' },
  );
  for await (const row of rows)
    yield {
      id: row.id,
      name: row.name,
      description: row.description,
      isShared: row.share_token !== null,
      createdAt: row.created_at,
      updatedAt: row.updated_at,
      deletedAt: row.deleted_at,
      tracks: await listExportedTracks(db, row.id, publishedBy),
    };
}

export const listPositions = (db: Db, playlistId: string): Promise<TrackPosition[]> =>
  db
    .selectFrom('playlist_tracks')
    .select(['track_id', 'position'])
    .where('playlist_id', '=', playlistId)
    .orderBy('position')
    .orderBy('track_id')
    .execute();

/** Those of several playlists, in their order. */
export const listPositionsOf = async (db: Db, playlistIds: readonly string[]) =>
  playlistIds.length === 0
    ? []
    : db
        .selectFrom('playlist_tracks')
        .select(['playlist_id', 'track_id', 'position'])
        .where('playlist_id', 'in', playlistIds)
        .orderBy('position')
        .orderBy('track_id')
        .execute();

type NewPositions = { playlistId: string; positions: readonly TrackPosition[]; now: number };

/** Adds tracks, or moves those that are already in the playlist. */
export async function writePositions(
  tx: Db,
  { playlistId, positions, now }: NewPositions,
): Promise<void> {
  if (positions.length === 0) return;
  const rows = positions.map((track) => ({ playlist_id: playlistId, ...track, added_at: now }));
  await tx
    .insertInto('playlist_tracks')
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .columns(['playlist_id', 'track_id'])
        .doUpdateSet((eb) => ({ position: eb.ref('excluded.position') })),
    )
    .execute();
}

export async function deletePositions(tx: Db, playlistId: string, trackIds: readonly string[]) {
  if (trackIds.length === 0) return;
  await tx
    .deleteFrom('playlist_tracks')
    .where('playlist_id', '=', playlistId)
    .where('track_id', 'in', trackIds)
    .execute();
}

/** True when the track was in the playlist. */
export async function deletePosition(
  tx: Db,
  playlistId: string,
  trackId: string,
): Promise<boolean> {
  const row = await tx
    .deleteFrom('playlist_tracks')
    .where('playlist_id', '=', playlistId)
    .where('track_id', '=', trackId)
    .returning('track_id')
    .executeTakeFirst();
  return row !== undefined;
}

export async function findPlaylistsWith(
  db: Db,
  trackId: string,
  playlistIds: readonly string[],
): Promise<Set<string>> {
  if (playlistIds.length === 0) return new Set();
  const rows = await db
    .selectFrom('playlist_tracks')
    .select('playlist_id')
    .where('track_id', '=', trackId)
    .where('playlist_id', 'in', playlistIds)
    .execute();
  return new Set(rows.map((row) => row.playlist_id));
}

export type FirstTrack = { playlist_id: string; track_id: string };

/** The first tracks of each playlist, in one query that reads no others. */
export async function listFirstTracks(
  db: Db,
  playlistIds: readonly string[],
  count: number,
): Promise<FirstTrack[]> {
  const firstOf = (playlistId: string) =>
    db
      .selectFrom(
        db
          .selectFrom('playlist_tracks')
          .select(['playlist_id', 'track_id', 'position'])
          .where('playlist_id', '=', playlistId)
          .orderBy('position')
          .orderBy('track_id')
          .limit(count)
          .as('first'),
      )
      .selectAll();
  const [query, ...more] = playlistIds.map(firstOf);
  if (!query) return [];
  const rows = await more.reduce((all, one) => all.unionAll(one), query).execute();
  return rows.toSorted((a, b) => a.position - b.position);
}
