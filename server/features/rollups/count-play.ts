import { sql } from 'kysely';
import { dayOf, hourOf } from '#contract/rules/days.ts';
import type { Db, DialectName } from '../../db/connect.ts';

/** Answers the listener's day before this one, empty when there is none; null on a day already counted. */
async function moveLastDay(
  tx: Db,
  { listenerKey, day }: { listenerKey: string; day: string },
  dialect: DialectName,
): Promise<string | null> {
  // There must be a row before it can be held: two plays of a newcomer at once would both be the first.
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
 * What reports read of a play that counts, in its transaction. The rows that everybody shares come
 * last, so that they are held for the shortest time, and always in this order.
 */
export async function countPlay(tx: Db, play: CountedPlay, dialect: DialectName): Promise<void> {
  const { at, timeZone, trackId, listenerKey, isSubscriber } = play;
  const day = dayOf(at, timeZone);
  const previousDay = await moveLastDay(tx, { listenerKey, day }, dialect);
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

/** Says only when this listener was here, and there will be no next time; the numbers stay. */
export async function forgetVisits(tx: Db, listenerKey: string): Promise<void> {
  await tx.deleteFrom('listener_last_days').where('listener_key', '=', listenerKey).execute();
  await tx.deleteFrom('listener_visits').where('listener_key', '=', listenerKey).execute();
}
