import type { PageQuery } from '#contract/paging.ts';
import type { Db } from '../../db/connect.ts';
import type { FavoritesTable } from '../../db/types/tables.ts';
import { CursorId, CursorNumber, paginate } from '../../http/route/paginate.ts';
import { exportRows, nameTrack } from '../../db/export-rows.ts';

export type FavoriteRow = FavoritesTable;

/** Adding a favorite again changes nothing. */
export const insertFavorite = (db: Db, favorite: FavoriteRow) =>
  db
    .insertInto('favorites')
    .values(favorite)
    .onConflict((conflict) => conflict.doNothing())
    .execute();

/** True when the track was a favorite. */
export async function deleteFavorite(db: Db, userId: string, trackId: string): Promise<boolean> {
  const row = await db
    .deleteFrom('favorites')
    .where('user_id', '=', userId)
    .where('track_id', '=', trackId)
    .returning('track_id')
    .executeTakeFirst();
  return row !== undefined;
}

export const findFavorite = (db: Db, userId: string, trackId: string) =>
  db
    .selectFrom('favorites')
    .selectAll()
    .where('user_id', '=', userId)
    .where('track_id', '=', trackId)
    .executeTakeFirst();

/** The newest first. */
export async function listFavoriteIds(db: Db, userId: string, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('favorites')
    .select('track_id')
    .where('user_id', '=', userId)
    .orderBy('created_at', 'desc')
    .orderBy('track_id', 'desc')
    .limit(limit)
    .execute();
  return rows.map((row) => row.track_id);
}

/** When the user added these of their favorites, by track. */
export async function listFavoriteTimes(
  db: Db,
  userId: string,
  trackIds: readonly string[],
): Promise<Map<string, number>> {
  if (trackIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('favorites')
    .select(['track_id', 'created_at'])
    .where('user_id', '=', userId)
    .where('track_id', 'in', trackIds)
    .execute();
  return new Map(rows.map((row) => [row.track_id, row.created_at]));
}

/** Newest first. */
export const listFavorites = (db: Db, userId: string, page: PageQuery) =>
  paginate(db.selectFrom('favorites').selectAll().where('user_id', '=', userId), page, {
    orderBy: [
      ['created_at', CursorNumber],
      ['track_id', CursorId],
    ],
  });

/** Oldest first. */
export const exportFavorites = (db: Db, userId: string, publishedBy: number) =>
  exportRows(
    db
      .selectFrom('favorites')
      .innerJoin('tracks', 'tracks.id', 'favorites.track_id')
      .select('favorites.track_id as trackId')
      .select(nameTrack(publishedBy))
      .select('favorites.created_at as addedAt')
      .where('favorites.user_id', '=', userId),
    { addedAt: 'favorites.created_at', trackId: 'favorites.track_id' },
  );
