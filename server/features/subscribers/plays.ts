import type { Expression, SqlBool } from 'kysely';
import { z } from 'zod';
import { DEFAULT_PAGE_SIZE, type PageQuery } from '#contract/paging.ts';
import type { SubscriberPlay } from '#contract/subscribers.ts';
import type { Db } from '../../db/connect.ts';
import type { Deps } from '../../deps.ts';
import { decodeCursor, encodeCursor } from '../../http/cursor.ts';
import { requireSubscriber, type Answer } from './read.ts';

const Position = z.tuple([z.int(), z.string().regex(/^[\w-]{1,64}$/)]);
type PlayPosition = z.output<typeof Position>;

const listPlays = (
  db: Db,
  userId: string,
  { after, limit }: { after: PlayPosition | null; limit: number },
) =>
  db
    .selectFrom('plays')
    .innerJoin('tracks', 'tracks.id', 'plays.track_id')
    .select([
      'plays.id',
      'plays.track_id',
      'tracks.title',
      'tracks.year',
      'tracks.week',
      'plays.heard_at',
      'plays.heard_ms',
      'plays.is_counted',
      'plays.is_subscriber',
    ])
    .where('plays.user_id', '=', userId)
    .$if(after !== null, (query) =>
      query.where(({ eb, refTuple, tuple }): Expression<SqlBool> =>
        eb(refTuple('plays.heard_at', 'plays.id'), '<', tuple(after?.[0] ?? 0, after?.[1] ?? '')),
      ),
    )
    .orderBy('plays.heard_at', 'desc')
    .orderBy('plays.id', 'desc')
    .limit(limit)
    .execute();

export async function readPlaysOf(
  deps: Deps,
  id: string,
  { cursor, limit = DEFAULT_PAGE_SIZE }: PageQuery,
): Promise<Answer<SubscriberPlay>> {
  await requireSubscriber(deps, id);
  const rows = await listPlays(deps.database.db, id, {
    after: cursor ? decodeCursor(Position, cursor) : null,
    limit: limit + 1,
  });
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  return {
    items: page.map((row) => ({
      id: row.id,
      trackId: row.track_id,
      title: row.title,
      year: row.year,
      week: row.week,
      at: row.heard_at,
      heardMs: row.heard_ms,
      isCounted: row.is_counted === 1,
      wasSubscriber: row.is_subscriber === 1,
    })),
    nextCursor: last ? encodeCursor([last.heard_at, last.id]) : null,
  };
}
