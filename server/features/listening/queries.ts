import type { PageQuery } from '#contract/paging.ts';
import type { Db } from '../../db/connect.ts';
import type { ListeningTable } from '../../db/listening-tables.ts';
import { exportRows } from '../../db/export-rows.ts';
import { CursorId, CursorNumber, paginate, type Page } from '../../http/paginate.ts';

export type ListeningRow = ListeningTable;
export type Place = { userId: string; trackId: string };

/** A start is listening too, before anything was heard: it moves the track to the top, not its position. */
export const noteStart = (tx: Db, { userId, trackId }: Place, now: number) =>
  tx
    .insertInto('listening')
    .values({
      user_id: userId,
      track_id: trackId,
      position_ms: 0,
      heard_ms: 0,
      is_heard: 0,
      last_heard_at: now,
      reach: null,
      reach_day: null,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['user_id', 'track_id'])
        .doUpdateSet({ last_heard_at: now })
        .where('listening.last_heard_at', '<', now),
    )
    .execute();

type Heard = Place & { positionMs: number | null; addedMs: number };

/**
 * Time heard adds up whoever reports it, in any order; the position is the latest report's. A null
 * position leaves it where it is.
 */
export const addListening = (
  tx: Db,
  { userId, trackId, positionMs, addedMs }: Heard,
  now: number,
): Promise<ListeningRow> =>
  tx
    .insertInto('listening')
    .values({
      user_id: userId,
      track_id: trackId,
      position_ms: positionMs ?? 0,
      heard_ms: addedMs,
      is_heard: 0,
      last_heard_at: now,
      reach: null,
      reach_day: null,
    })
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'track_id']).doUpdateSet(({ eb, ref, case: when }) => {
        const isLatest = eb(ref('excluded.last_heard_at'), '>=', ref('listening.last_heard_at'));
        return {
          heard_ms: eb(ref('listening.heard_ms'), '+', addedMs),
          position_ms:
            positionMs === null
              ? ref('listening.position_ms')
              : when()
                  .when(isLatest)
                  .then(ref('excluded.position_ms'))
                  .else(ref('listening.position_ms'))
                  .end(),
          last_heard_at: when()
            .when(isLatest)
            .then(ref('excluded.last_heard_at'))
            .else(ref('listening.last_heard_at'))
            .end(),
        };
      }),
    )
    .returningAll()
    .executeTakeFirstOrThrow();

export const markHeard = (tx: Db, { userId, trackId }: Place) =>
  tx
    .updateTable('listening')
    .set({ is_heard: 1 })
    .where('user_id', '=', userId)
    .where('track_id', '=', trackId)
    .execute();

/** Newest first. */
export const listListening = (
  db: Db,
  userId: string,
  page: PageQuery,
): Promise<Page<ListeningRow>> =>
  paginate(db.selectFrom('listening').selectAll().where('user_id', '=', userId), page, {
    orderBy: [
      ['last_heard_at', CursorNumber],
      ['track_id', CursorId],
    ],
  });

export const listListeningTo = (
  db: Db,
  userId: string,
  trackIds: readonly string[],
): Promise<ListeningRow[]> =>
  trackIds.length === 0
    ? Promise.resolve([])
    : db
        .selectFrom('listening')
        .selectAll()
        .where('user_id', '=', userId)
        .where('track_id', 'in', trackIds)
        .execute();

export const setReach = (
  tx: Db,
  { userId, trackId }: Place,
  { reach, day }: { reach: number; day: string },
) =>
  tx
    .updateTable('listening')
    .set({ reach, reach_day: day })
    .where('user_id', '=', userId)
    .where('track_id', '=', trackId)
    .execute();

/** How far the user got in each track. */
export const exportListening = (db: Db, userId: string) =>
  exportRows(
    db
      .selectFrom('listening')
      .innerJoin('tracks', 'tracks.id', 'listening.track_id')
      .select(['listening.track_id as trackId', 'tracks.title', 'tracks.year', 'tracks.week'])
      .select([
        'listening.position_ms as positionMs',
        'listening.heard_ms as heardMs',
        'listening.is_heard as isHeard',
        'listening.last_heard_at as lastHeardAt',
      ])
      .where('listening.user_id', '=', userId),
    { lastHeardAt: 'listening.last_heard_at', trackId: 'listening.track_id' },
  );
