import { sql } from 'kysely';
import { dayOf, hourOf } from '#contract/rules/days.ts';
import { addToRows } from '../../db/add-to-rows.ts';
import type { Db, DialectName } from '../../db/connect.ts';

export type { MoneyEntry, PaidHistory } from './ledger-figures.ts';
export { updatePaymentFigures } from './payment-rollups.ts';

/** Returns the listener's previous day, empty for a new listener; null if the day was counted before. */
async function updateLastDay(
  tx: Db,
  { listenerKey, day }: { listenerKey: string; day: string },
  dialect: DialectName,
): Promise<string | null> {
  // A row must exist before it can be locked, or two simultaneous plays of a new listener would both be the first.
  await tx
    .insertInto('listener_last_days')
    .values({ listener_key: listenerKey, day: '' })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const last = await tx
    .selectFrom('listener_last_days')
    .select('day')
    .where('listener_key', '=', listenerKey)
    .$if(dialect === 'postgres', (query) => query.forUpdate())
    .executeTakeFirstOrThrow();
  if (last.day >= day) return null;
  await tx
    .updateTable('listener_last_days')
    .set({ day })
    .where('listener_key', '=', listenerKey)
    .execute();
  return last.day;
}

export type CountedPlay = {
  at: number;
  timeZone: string;
  trackId: string;
  listenerKey: string;
  isSubscriber: boolean;
};

/**
 * Adds a counted play to the report figures, in the play's transaction. Rows that all listeners share
 * come last, so that they are locked for the shortest time, and always in this order.
 */
export async function countPlay(tx: Db, play: CountedPlay, dialect: DialectName): Promise<void> {
  const { at, timeZone, trackId, listenerKey, isSubscriber } = play;
  const day = dayOf(at, timeZone);
  const previousDay = await updateLastDay(tx, { listenerKey, day }, dialect);
  const month = { month: day.slice(0, 7), track_id: trackId, plays: 1 };
  await addToRows(tx, 'play_months', ['month', 'track_id'], [month]);
  if (previousDay !== null) {
    await tx
      .insertInto('listener_visits')
      .values({ day, previous_day: previousDay, listener_key: listenerKey })
      .execute();
    const gap = { day, previous_day: previousDay, listeners: 1 };
    await addToRows(tx, 'listener_gaps', ['day', 'previous_day'], [gap]);
  }
  const hour = { day, hour: hourOf(at, timeZone), plays: 1 };
  await addToRows(tx, 'play_hours', ['day', 'hour'], [hour]);
  const total = {
    day,
    plays: 1,
    subscriber_plays: isSubscriber ? 1 : 0,
    listeners: previousDay === null ? 0 : 1,
  };
  await addToRows(tx, 'site_days', ['day'], [total]);
}

/** Deletes when a listener was here, once the account is deleted; the totals stay. */
export async function deleteVisits(tx: Db, listenerKey: string): Promise<void> {
  await tx.deleteFrom('listener_last_days').where('listener_key', '=', listenerKey).execute();
  await tx.deleteFrom('listener_visits').where('listener_key', '=', listenerKey).execute();
}

/** Counts a user who got further than before into a track that they started on `day`. */
export async function updateTrackReach(
  tx: Db,
  { trackId, day, from, to }: { trackId: string; day: string; from: number | null; to: number },
): Promise<void> {
  // Always the higher row first, so that two transactions can’t deadlock.
  const reached = { track_id: trackId, day, reach: to, listeners: 1 };
  await addToRows(tx, 'track_reach', ['track_id', 'day', 'reach'], [reached]);
  if (from === null) return;
  await tx
    .updateTable('track_reach')
    .set({ listeners: sql<number>`listeners - 1` })
    .where('track_id', '=', trackId)
    .where('day', '=', day)
    .where('reach', '=', from)
    .execute();
}
