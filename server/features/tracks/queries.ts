import { sql, type SqlBool } from 'kysely';
import type { Db } from '../../db/connect.ts';
import { prepareQuery } from '../../db/prepare-query.ts';
import type { RenditionName, RenditionsTable, TracksTable } from '../../db/tables.ts';

export type TrackRow = TracksTable;
export type TrackFileRow = RenditionsTable;

/** What a viewer may see at all. */
export type Visibility = { publishedBy: number; includesSubscriberOnly: boolean };

export const isVisible = ({ publishedBy, includesSubscriberOnly }: Visibility) =>
  // The status is a literal: with a parameter SQLite would recompile the query for each value, to see
  // whether the index of ready tracks applies.
  sql<SqlBool>`(tracks.status = 'ready' and tracks.publish_at is not null
    and tracks.publish_at <= ${publishedBy}
    ${includesSubscriberOnly ? sql`` : sql`and tracks.is_subscriber_only = 0`})`;

const visibleTracks = (db: Db, visibility: Visibility) =>
  db.selectFrom('tracks').where(isVisible(visibility));

export const findVisibleTrack = (db: Db, visibility: Visibility, id: string) =>
  visibleTracks(db, visibility).selectAll().where('id', '=', id).executeTakeFirst();

/** For administrators, who may see a track before its release. */
export const findReadyTrack = (db: Db, id: string): Promise<TrackRow | undefined> =>
  db
    .selectFrom('tracks')
    .selectAll()
    .where('id', '=', id)
    .where('status', '=', 'ready')
    .where('deleted_at', 'is', null)
    .executeTakeFirst();

/** The file of an unpublished track, for an administrator with a valid session. */
export const findFileForAdmin = (
  db: Db,
  {
    tokenHash,
    now,
    id,
    rendition,
  }: { tokenHash: string; now: number; id: string; rendition: RenditionName },
) =>
  db
    .selectFrom('tracks')
    .innerJoin('renditions', 'renditions.track_id', 'tracks.id')
    .innerJoin('sessions', (join) =>
      join.on('sessions.token_hash', '=', tokenHash).on('sessions.expires_at', '>', now),
    )
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select(['key', 'size', 'media_type', 'is_demo'])
    .where('tracks.id', '=', id)
    .where('tracks.status', '=', 'ready')
    .where('tracks.deleted_at', 'is', null)
    .where('name', '=', rendition)
    .where('users.is_admin', '=', 1)
    .executeTakeFirst();

export const findVisibleTracks = (
  db: Db,
  visibility: Visibility,
  ids: readonly string[],
): Promise<TrackRow[]> =>
  ids.length === 0
    ? Promise.resolve([])
    : visibleTracks(db, visibility).selectAll().where('id', 'in', ids).execute();

export const listFilesOf = (db: Db, trackIds: readonly string[]): Promise<TrackFileRow[]> =>
  trackIds.length === 0
    ? Promise.resolve([])
    : db.selectFrom('renditions').selectAll().where('track_id', 'in', trackIds).execute();

/** Which of the tracks are favorites of the user. */
export async function listFavoritesAmong(
  db: Db,
  userId: string,
  trackIds: readonly string[],
): Promise<string[]> {
  if (trackIds.length === 0) return [];
  const rows = await db
    .selectFrom('favorites')
    .select('track_id')
    .where('user_id', '=', userId)
    .where('track_id', 'in', trackIds)
    .execute();
  return rows.map((row) => row.track_id);
}

/**
 * Everything that decides whether a viewer may hear a file, in one query: a player requests hundreds
 * of parts of a track, and each is checked. The user is null without a valid session.
 */
export const findFileAndViewer = prepareQuery(
  (db, tokenHash: string, now: number, publishedBy: number, id: string, rendition: RenditionName) =>
    visibleTracks(db, { publishedBy, includesSubscriberOnly: true })
      .innerJoin('renditions', 'renditions.track_id', 'tracks.id')
      .leftJoin('sessions', (join) =>
        join.on('sessions.token_hash', '=', tokenHash).on('sessions.expires_at', '>', now),
      )
      .leftJoin('users', 'users.id', 'sessions.user_id')
      .select(['publish_at', 'is_subscriber_only', 'key', 'size', 'media_type'])
      .select(['is_admin', 'is_demo', 'paid_through'])
      .where('tracks.id', '=', id)
      .where('name', '=', rendition),
  5,
);

/** The same for the owner of a download link, who may have no session. */
export const findFileAndOwner = prepareQuery(
  (db, userId: string, publishedBy: number, id: string, rendition: RenditionName) =>
    visibleTracks(db, { publishedBy, includesSubscriberOnly: true })
      .innerJoin('renditions', 'renditions.track_id', 'tracks.id')
      .innerJoin('users', (join) => join.on('users.id', '=', userId))
      .select(['publish_at', 'is_subscriber_only', 'key', 'size', 'media_type'])
      .select(['title', 'year', 'week', 'is_admin', 'is_demo', 'paid_through'])
      .where('tracks.id', '=', id)
      .where('name', '=', rendition),
  4,
);

export async function findPeaks(db: Db, trackId: string): Promise<number[]> {
  const row = await db
    .selectFrom('track_peaks')
    .select('peaks')
    .where('track_id', '=', trackId)
    .executeTakeFirst();
  return row ? (JSON.parse(row.peaks) as number[]) : [];
}
