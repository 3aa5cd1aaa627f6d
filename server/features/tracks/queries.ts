import { sql, type Expression, type SqlBool } from 'kysely';
import type { Db } from '../../db/connect.ts';
import { prepareQuery } from '../../db/prepare-query.ts';
import type { FileKind, TrackFilesTable, TracksTable } from '../../db/tables.ts';

export type TrackRow = TracksTable;
export type TrackFileRow = TrackFilesTable;

/** What a viewer may see at all. */
export type Visibility = { publishedBy: number; includesSubscriberOnly: boolean };

export type TrackFilter = {
  year?: number | undefined;
  week?: number | undefined;
  genre?: string | undefined;
};
export type TrackPosition = [year: number, week: number, publishAt: number, id: string];

const visibleTracks = (db: Db, visibility: Visibility) =>
  db
    .selectFrom('tracks')
    // Written out: as a parameter SQLite compiles the query anew for each value, to see whether the
    // index of ready tracks fits.
    .where('status', '=', sql.lit('ready'))
    .where('publish_at', 'is not', null)
    .where('publish_at', '<=', visibility.publishedBy)
    .$if(!visibility.includesSubscriberOnly, (query) => query.where('is_subscriber_only', '=', 0));

/** Newest week first; the position makes every page start exactly where the last one ended. */
export function listTracks(
  db: Db,
  visibility: Visibility,
  page: { filter: TrackFilter; after: TrackPosition | null; limit: number },
): Promise<TrackRow[]> {
  const { filter, after, limit } = page;
  let query = visibleTracks(db, visibility).selectAll();
  if (filter.year !== undefined) query = query.where('year', '=', filter.year);
  if (filter.week !== undefined) query = query.where('week', '=', filter.week);
  if (filter.genre !== undefined) query = query.where('genre', '=', filter.genre);
  if (after) {
    const [year, week, publishAt, id] = after;
    query = query.where(({ eb, refTuple, tuple }): Expression<SqlBool> =>
      eb(
        refTuple('year', 'week', 'publish_at', 'id'),
        '<',
        tuple(year, week, publishAt as number | null, id),
      ),
    );
  }
  return query
    .orderBy('year', 'desc')
    .orderBy('week', 'desc')
    .orderBy('publish_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

export const findVisibleTrack = (
  db: Db,
  visibility: Visibility,
  id: string,
): Promise<TrackRow | undefined> =>
  visibleTracks(db, visibility).selectAll().where('id', '=', id).executeTakeFirst();

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
    : db.selectFrom('track_files').selectAll().where('track_id', 'in', trackIds).execute();

/** Those of the tracks that the member marked with a heart. */
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
 * All that decides whether a file may be heard, in one question: a listener asks for hundreds of
 * parts of a mix, and each one is checked. Who asks is null without a session that is still good.
 */
export const findFileAndListener = prepareQuery(
  (db, tokenHash: string, now: number, publishedBy: number, id: string, kind: FileKind) =>
    visibleTracks(db, { publishedBy, includesSubscriberOnly: true })
      .innerJoin('track_files', 'track_files.track_id', 'tracks.id')
      .leftJoin('sessions', (join) =>
        join.on('sessions.token_hash', '=', tokenHash).on('sessions.expires_at', '>', now),
      )
      .leftJoin('users', 'users.id', 'sessions.user_id')
      .select(['publish_at', 'is_subscriber_only', 'key', 'size', 'media_type'])
      .select(['is_admin', 'is_demo', 'paid_through'])
      .where('tracks.id', '=', id)
      .where('kind', '=', kind),
  5,
);

/** The same for whoever an address was made out to, who may have no session at hand. */
export const findFileAndOwner = prepareQuery(
  (db, userId: string, publishedBy: number, id: string, kind: FileKind) =>
    visibleTracks(db, { publishedBy, includesSubscriberOnly: true })
      .innerJoin('track_files', 'track_files.track_id', 'tracks.id')
      .innerJoin('users', (join) => join.on('users.id', '=', userId))
      .select(['publish_at', 'is_subscriber_only', 'key', 'size', 'media_type'])
      .select(['title', 'year', 'week', 'is_admin', 'is_demo', 'paid_through'])
      .where('tracks.id', '=', id)
      .where('kind', '=', kind),
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
