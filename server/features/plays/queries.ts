import { sql } from 'kysely';
import type { Doubt } from '#contract/rules/chart.ts';
import { COUNT_INTERVAL_MS } from '#contract/rules/plays.ts';
import { addToRows } from '../../db/add-to-rows.ts';
import type { Db } from '../../db/connect.ts';
import type { PlaysTable } from '../../db/types/listening-tables.ts';
import { exportRows, nameTrack } from '../../db/export-rows.ts';

export type PlayRow = PlaysTable;

export const insertPlay = (db: Db, play: PlayRow) => db.insertInto('plays').values(play).execute();

/** Locked on PostgreSQL, so that two simultaneous heartbeats don't both count. SQLite has one writer anyway. */
export const findPlayForUpdate = (tx: Db, id: string, dialect: 'sqlite' | 'postgres') =>
  tx
    .selectFrom('plays')
    .innerJoin('tracks', 'tracks.id', 'plays.track_id')
    .selectAll('plays')
    .select(['tracks.duration_ms', 'tracks.preview_start_ms', 'tracks.publish_at'])
    .where('plays.id', '=', id)
    .$if(dialect === 'postgres', (query) => query.forUpdate('plays'))
    .executeTakeFirst();

export const updatePlay = (
  tx: Db,
  id: string,
  change: Pick<
    PlayRow,
    'listened_at' | 'listened_ms' | 'position_ms' | 'is_counted' | 'counted_at'
  >,
) => tx.updateTable('plays').set(change).where('id', '=', id).execute();

/** True unless this listener's last counted play of the track is too recent. */
export async function claimCount(
  tx: Db,
  { listenerKey, trackId, now }: { listenerKey: string; trackId: string; now: number },
): Promise<boolean> {
  const row = await tx
    .insertInto('counted_plays')
    .values({ listener_key: listenerKey, track_id: trackId, counted_at: now })
    .onConflict((conflict) =>
      conflict
        .columns(['listener_key', 'track_id'])
        .doUpdateSet({ counted_at: now })
        .where((eb) =>
          eb('counted_plays.counted_at', '<=', now - COUNT_INTERVAL_MS).or(
            // Counted while the clock was fast.
            eb('counted_plays.counted_at', '>', now + COUNT_INTERVAL_MS),
          ),
        ),
    )
    .returning('listener_key')
    .executeTakeFirst();
  return row !== undefined;
}

export const markPlay = (tx: Db, id: string, suspicion: Doubt) =>
  tx.updateTable('plays').set({ suspicion }).where('id', '=', id).execute();

type DayCount = {
  day: string;
  trackId: string;
  isSubscriber: boolean;
  /** The chart counts this listener from now on. */
  isNewListener: boolean;
  suspicion: Doubt | null;
};

/** Updates the counters that pages show, in the transaction of the play. */
export async function addToRollups(
  tx: Db,
  { day, trackId, isSubscriber, isNewListener, suspicion }: DayCount,
) {
  const count = {
    day,
    track_id: trackId,
    plays: 1,
    subscriber_listeners: isNewListener && isSubscriber ? 1 : 0,
    free_listeners: isNewListener && !isSubscriber ? 1 : 0,
  };
  await addToRows(tx, 'play_days', ['day', 'track_id'], [count]);
  if (suspicion) {
    const left = { day, track_id: trackId, suspicion, plays: 1 };
    await addToRows(tx, 'suspicious_days', ['day', 'track_id', 'suspicion'], [left]);
  }
  await tx
    .updateTable('tracks')
    .set({ play_count: sql`play_count + 1` })
    .where('id', '=', trackId)
    .execute();
}

/** Every play of the user, oldest first. */
export const exportPlays = (db: Db, userId: string, publishedBy: number) =>
  exportRows(
    db
      .selectFrom('plays')
      .innerJoin('tracks', 'tracks.id', 'plays.track_id')
      .select('plays.track_id as trackId')
      .select(nameTrack(publishedBy))
      .select([
        'plays.id as playId',
        'plays.started_at as startedAt',
        'plays.listened_at as listenedAt',
        'plays.listened_ms as listenedMs',
        'plays.position_ms as positionMs',
        'plays.is_subscriber as wasSubscriber',
        'plays.is_counted as isCounted',
        'plays.suspicion as leftOutOfChartAs',
      ])
      .where('plays.user_id', '=', userId),
    { listenedAt: 'plays.listened_at', playId: 'plays.id' },
  );
