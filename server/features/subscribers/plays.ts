import type { PageQuery } from '#contract/paging.ts';
import type { SubscriberPlay } from '#contract/subscribers.ts';
import type { Db } from '../../db/connect.ts';
import type { Deps } from '../../deps.ts';
import { CursorId, CursorNumber, paginate } from '../../http/paginate.ts';
import { requireSubscriber, type Answer } from './read.ts';

const listPlays = (db: Db, userId: string, page: PageQuery) =>
  paginate(
    db
      .selectFrom('plays')
      .innerJoin('tracks', 'tracks.id', 'plays.track_id')
      .select([
        'plays.id',
        'plays.track_id',
        'tracks.title',
        'tracks.year',
        'tracks.week',
        'plays.listened_at',
        'plays.listened_ms',
        'plays.is_counted',
        'plays.is_subscriber',
      ])
      .where('plays.user_id', '=', userId),
    page,
    {
      orderBy: [
        ['plays.listened_at', CursorNumber],
        ['plays.id', CursorId],
      ],
    },
  );

export async function readPlaysOf(
  deps: Deps,
  id: string,
  page: PageQuery,
): Promise<Answer<SubscriberPlay>> {
  await requireSubscriber(deps, id);
  const { rows, nextCursor } = await listPlays(deps.database.db, id, page);
  return {
    items: rows.map((row) => ({
      id: row.id,
      trackId: row.track_id,
      title: row.title,
      year: row.year,
      week: row.week,
      at: row.listened_at,
      listenedMs: row.listened_ms,
      isCounted: row.is_counted === 1,
      wasSubscriber: row.is_subscriber === 1,
    })),
    nextCursor,
  };
}
