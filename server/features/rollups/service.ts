import { sql } from 'kysely';
import { dayOf, hourOf } from '#contract/rules/days.ts';
import type { Db, DialectName } from '../../db/connect.ts';

export type { MoneyEntry, PaidHistory, PaidPeriod } from './ledger-figures.ts';
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

const addGap = (tx: Db, day: string, previousDay: string) =>
  tx
    .insertInto('listener_gaps')
    .values({ day, previous_day: previousDay, listeners: 1 })
    .onConflict((conflict) =>
      conflict
        .columns(['day', 'previous_day'])
        .doUpdateSet({ listeners: sql<number>`listener_gaps.listeners + 1` }),
    )
    .execute();

const addToMonth = (tx: Db, month: string, trackId: string) =>
  tx
    .insertInto('play_months')
    .values({ month, track_id: trackId, plays: 1 })
    .onConflict((conflict) =>
      conflict
        .columns(['month', 'track_id'])
        .doUpdateSet({ plays: sql<number>`play_months.plays + 1` }),
    )
    .execute();

const addToHour = (tx: Db, day: string, hour: number) =>
  tx
    .insertInto('play_hours')
    .values({ day, hour, plays: 1 })
    .onConflict((conflict) =>
      conflict.columns(['day', 'hour']).doUpdateSet({ plays: sql<number>`play_hours.plays + 1` }),
    )
    .execute();

type DayChange = { day: string; subscriberPlays: 0 | 1; listeners: 0 | 1 };

const addToDay = (tx: Db, { day, subscriberPlays, listeners }: DayChange) =>
  tx
    .insertInto('site_days')
    .values({ day, plays: 1, subscriber_plays: subscriberPlays, listeners })
    .onConflict((conflict) =>
      conflict.column('day').doUpdateSet({
        plays: sql<number>`site_days.plays + 1`,
        subscriber_plays: sql<number>`site_days.subscriber_plays + ${subscriberPlays}`,
        listeners: sql<number>`site_days.listeners + ${listeners}`,
      }),
    )
    .execute();

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
  await addToMonth(tx, day.slice(0, 7), trackId);
  if (previousDay !== null) {
    await tx
      .insertInto('listener_visits')
      .values({ day, previous_day: previousDay, listener_key: listenerKey })
      .execute();
    await addGap(tx, day, previousDay);
  }
  await addToHour(tx, day, hourOf(at, timeZone));
  const listeners = previousDay === null ? 0 : 1;
  await addToDay(tx, { day, subscriberPlays: isSubscriber ? 1 : 0, listeners });
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
  await tx
    .insertInto('track_reach')
    .values({ track_id: trackId, day, reach: to, listeners: 1 })
    .onConflict((conflict) =>
      conflict
        .columns(['track_id', 'day', 'reach'])
        .doUpdateSet({ listeners: sql<number>`track_reach.listeners + 1` }),
    )
    .execute();
  if (from === null) return;
  await tx
    .updateTable('track_reach')
    .set({ listeners: sql<number>`listeners - 1` })
    .where('track_id', '=', trackId)
    .where('day', '=', day)
    .where('reach', '=', from)
    .execute();
}
