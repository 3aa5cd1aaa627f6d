import { sql, type SqlBool } from 'kysely';
import type { PageQuery } from '#contract/paging.ts';
import { PREVIEW_END_SECONDS } from '#contract/rules/progress.ts';
import { STARTED_AFTER_SECONDS } from '#contract/rules/resume.ts';
import type { Db } from '../../db/connect.ts';
import type { ProgressTable } from '../../db/types/listening-tables.ts';
import { exportRows, nameTrack } from '../../db/export-rows.ts';
import { CursorId, CursorNumber, paginate, type RowPage } from '../../http/route/paginate.ts';

export type ProgressRow = ProgressTable;
export type ProgressKey = { userId: string; trackId: string };

/** Starting a track moves it to the top of the history, but keeps the position. */
export const recordStart = (tx: Db, { userId, trackId }: ProgressKey, now: number) =>
  tx
    .insertInto('progress')
    .values({
      user_id: userId,
      track_id: trackId,
      position_ms: 0,
      listened_ms: 0,
      is_finished: 0,
      last_listened_at: now,
      reach: null,
      reach_day: null,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['user_id', 'track_id'])
        .doUpdateSet({ last_listened_at: now })
        .where('progress.last_listened_at', '<', now),
    )
    .execute();

type Report = ProgressKey & { positionMs: number | null; addedMs: number };

/**
 * Listened time adds up in whatever order reports arrive; the position is the one of the latest
 * report. A null position changes nothing.
 */
export const addProgress = (
  tx: Db,
  { userId, trackId, positionMs, addedMs }: Report,
  now: number,
) =>
  tx
    .insertInto('progress')
    .values({
      user_id: userId,
      track_id: trackId,
      position_ms: positionMs ?? 0,
      listened_ms: addedMs,
      is_finished: 0,
      last_listened_at: now,
      reach: null,
      reach_day: null,
    })
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'track_id']).doUpdateSet(({ eb, ref, case: when }) => {
        const isLatest = eb(
          ref('excluded.last_listened_at'),
          '>=',
          ref('progress.last_listened_at'),
        );
        return {
          listened_ms: eb(ref('progress.listened_ms'), '+', addedMs),
          position_ms:
            positionMs === null
              ? ref('progress.position_ms')
              : when()
                  .when(isLatest)
                  .then(ref('excluded.position_ms'))
                  .else(ref('progress.position_ms'))
                  .end(),
          last_listened_at: when()
            .when(isLatest)
            .then(ref('excluded.last_listened_at'))
            .else(ref('progress.last_listened_at'))
            .end(),
        };
      }),
    )
    .returningAll()
    .executeTakeFirstOrThrow();

export const markFinished = (tx: Db, { userId, trackId }: ProgressKey) =>
  tx
    .updateTable('progress')
    .set({ is_finished: 1 })
    .where('user_id', '=', userId)
    .where('track_id', '=', trackId)
    .execute();

const startedAfter = sql.lit(STARTED_AFTER_SECONDS * 1000);
const isOutsidePreview = sql`(progress.position_ms < coalesce(tracks.preview_start_ms, 0)
  or progress.position_ms > coalesce(tracks.preview_start_ms, 0) + ${sql.lit(PREVIEW_END_SECONDS * 1000)})`;

/**
 * The rows of tracks that are anything but unheard: `findListeningState` in SQL. Without full access
 * the query needs the tracks too, because a position inside the preview doesn't count as a place in the track.
 */
export const isListened = (hasFullAccess: boolean) => sql<SqlBool>`(progress.is_finished = 1
  or progress.listened_ms >= ${startedAfter}
  or (progress.position_ms >= ${startedAfter} ${hasFullAccess ? sql`` : sql`and ${isOutsidePreview}`}))`;

/** Newest first. */
export function listProgress(
  db: Db,
  userId: string,
  { state, ...page }: PageQuery & { state?: 'started' | undefined },
): Promise<RowPage<ProgressRow>> {
  let query = db.selectFrom('progress').selectAll().where('user_id', '=', userId);
  // Without full access nothing can be continued.
  if (state) query = query.where('is_finished', '=', 0).where(isListened(true));
  return paginate(query, page, {
    orderBy: [
      ['last_listened_at', CursorNumber],
      ['track_id', CursorId],
    ],
  });
}

export const setReach = (
  tx: Db,
  { userId, trackId }: ProgressKey,
  { reach, day }: { reach: number; day: string },
) =>
  tx
    .updateTable('progress')
    .set({ reach, reach_day: day })
    .where('user_id', '=', userId)
    .where('track_id', '=', trackId)
    .execute();

/** How far the user got in each track. */
export const exportProgress = (db: Db, userId: string, publishedBy: number) =>
  exportRows(
    db
      .selectFrom('progress')
      .innerJoin('tracks', 'tracks.id', 'progress.track_id')
      .select('progress.track_id as trackId')
      .select(nameTrack(publishedBy))
      .select([
        'progress.position_ms as positionMs',
        'progress.listened_ms as listenedMs',
        'progress.is_finished as isFinished',
        'progress.last_listened_at as lastListenedAt',
      ])
      .where('progress.user_id', '=', userId),
    { lastListenedAt: 'progress.last_listened_at', trackId: 'progress.track_id' },
  );
