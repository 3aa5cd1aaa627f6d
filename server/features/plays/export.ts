import type { Expression, SqlBool } from 'kysely';
import type { Db } from '../../db/connect.ts';
import { readInPages } from '../../db/read-in-pages.ts';

/** Every start of playback, the first first. */
export const exportPlays = (db: Db, userId: string) =>
  readInPages((after: Row | null, limit) => {
    let query = db
      .selectFrom('plays')
      .innerJoin('tracks', 'tracks.id', 'plays.track_id')
      .select([
        'plays.track_id as trackId',
        'tracks.title',
        'tracks.year',
        'tracks.week',
        'plays.id as playId',
        'plays.started_at as startedAt',
        'plays.heard_at as heardAt',
        'plays.heard_ms as heardMs',
        'plays.position_ms as positionMs',
        'plays.is_subscriber as wasSubscriber',
        'plays.is_counted as isCounted',
      ])
      .where('plays.user_id', '=', userId);
    if (after)
      query = query.where(({ eb, refTuple, tuple }): Expression<SqlBool> =>
        eb(refTuple('plays.heard_at', 'plays.id'), '>', tuple(after.heardAt, after.playId)),
      );
    return query.orderBy('plays.heard_at').orderBy('plays.id').limit(limit).execute();
  });

type Row = {
  trackId: string;
  title: string;
  year: number;
  week: number;
  playId: string;
  startedAt: number;
  heardAt: number;
  heardMs: number;
  positionMs: number;
  wasSubscriber: 0 | 1;
  isCounted: 0 | 1;
};
