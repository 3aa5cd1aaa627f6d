import type { Expression, SqlBool } from 'kysely';
import type { Db } from '../../db/connect.ts';
import { readInPages } from '../../db/read-in-pages.ts';

/** Every file the member downloaded. */
export const exportDownloads = (db: Db, userId: string) =>
  readInPages((after: Row | null, limit) => {
    let query = db
      .selectFrom('downloads')
      .innerJoin('tracks', 'tracks.id', 'downloads.track_id')
      .select([
        'downloads.track_id as trackId',
        'tracks.title',
        'tracks.year',
        'tracks.week',
        'downloads.format',
        'downloads.first_at as firstAt',
        'downloads.last_at as lastAt',
        'downloads.times',
      ])
      .where('downloads.user_id', '=', userId);
    if (after)
      query = query.where(({ eb, refTuple, tuple }): Expression<SqlBool> =>
        eb(
          refTuple('downloads.last_at', 'downloads.track_id', 'downloads.format'),
          '>',
          tuple(after.lastAt, after.trackId, after.format),
        ),
      );
    return query
      .orderBy('downloads.last_at')
      .orderBy('downloads.track_id')
      .orderBy('downloads.format')
      .limit(limit)
      .execute();
  });

type Row = {
  trackId: string;
  title: string;
  year: number;
  week: number;
  format: 'mp3' | 'flac';
  firstAt: number;
  lastAt: number;
  times: number;
};
