import type { Expression, SqlBool } from 'kysely';
import type { Db } from '../../db/connect.ts';
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
    .where('status', '=', 'ready')
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

export const findFile = (
  db: Db,
  trackId: string,
  kind: FileKind,
): Promise<TrackFileRow | undefined> =>
  db
    .selectFrom('track_files')
    .selectAll()
    .where('track_id', '=', trackId)
    .where('kind', '=', kind)
    .executeTakeFirst();

export async function findPeaks(db: Db, trackId: string): Promise<number[]> {
  const row = await db
    .selectFrom('track_peaks')
    .select('peaks')
    .where('track_id', '=', trackId)
    .executeTakeFirst();
  return row ? (JSON.parse(row.peaks) as number[]) : [];
}
