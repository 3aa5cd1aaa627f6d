import type { Expression, SqlBool } from 'kysely';
import type { Db } from '../../db/connect.ts';
import { readInPages } from '../../db/read-in-pages.ts';

/** How far the member came with every mix. */
export const exportListening = (db: Db, userId: string) =>
  readInPages((after: Row | null, limit) => {
    let query = db
      .selectFrom('listening')
      .innerJoin('tracks', 'tracks.id', 'listening.track_id')
      .select([
        'listening.track_id as trackId',
        'tracks.title',
        'tracks.year',
        'tracks.week',
        'listening.position_ms as positionMs',
        'listening.heard_ms as heardMs',
        'listening.is_heard as isHeard',
        'listening.last_heard_at as lastHeardAt',
      ])
      .where('listening.user_id', '=', userId);
    if (after)
      query = query.where(({ eb, refTuple, tuple }): Expression<SqlBool> =>
        eb(
          refTuple('listening.last_heard_at', 'listening.track_id'),
          '>',
          tuple(after.lastHeardAt, after.trackId),
        ),
      );
    return query
      .orderBy('listening.last_heard_at')
      .orderBy('listening.track_id')
      .limit(limit)
      .execute();
  });

type Row = {
  trackId: string;
  title: string;
  year: number;
  week: number;
  positionMs: number;
  heardMs: number;
  isHeard: 0 | 1;
  lastHeardAt: number;
};
