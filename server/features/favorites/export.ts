import type { Expression, SqlBool } from 'kysely';
import type { Db } from '../../db/connect.ts';
import { readInPages } from '../../db/read-in-pages.ts';

/** Every mix the member marked, the first first. */
export const exportFavorites = (db: Db, userId: string) =>
  readInPages((after: Row | null, limit) => {
    let query = db
      .selectFrom('favorites')
      .innerJoin('tracks', 'tracks.id', 'favorites.track_id')
      .select([
        'favorites.track_id as trackId',
        'tracks.title',
        'tracks.year',
        'tracks.week',
        'favorites.created_at as addedAt',
      ])
      .where('favorites.user_id', '=', userId);
    if (after)
      query = query.where(({ eb, refTuple, tuple }): Expression<SqlBool> =>
        eb(
          refTuple('favorites.created_at', 'favorites.track_id'),
          '>',
          tuple(after.addedAt, after.trackId),
        ),
      );
    return query
      .orderBy('favorites.created_at')
      .orderBy('favorites.track_id')
      .limit(limit)
      .execute();
  });

type Row = {
  trackId: string;
  title: string;
  year: number;
  week: number;
  addedAt: number;
};
