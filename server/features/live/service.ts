import { newId } from '../../db/ids.ts';
import type { Db } from '../../db/connect.ts';
import type { SignalsTable } from '../../db/types/tables.ts';

/**
 * `user:{id}` reaches that user, and so does `user:{id}/…`; browsers get it as `me` and `me/…`. What
 * everyone must hear, `everyone/…`, reaches them as `me/…` too. `taken-down:{trackId}`
 * doesn't reach browsers.
 */
export type Topic =
  | 'everyone/mixes'
  | `user:${string}`
  | `admin:${string}`
  | `taken-down:${string}`;

/** Calls back when a signal of the topic is noticed, from whichever server. Returns how to stop. */
export type WatchSignals = (topic: Topic, callback: () => void) => () => void;

/** Call it in the transaction of the change, so that clients hear about it if and only if it commits. */
export async function publishSignal(tx: Db, topic: Topic, now: number): Promise<void> {
  await tx.insertInto('signals').values({ id: newId(), topic, created_at: now }).execute();
}

/** For an account that is deleted. */
export async function deleteUserSignals(tx: Db, userId: string): Promise<void> {
  await tx
    .deleteFrom('signals')
    .where((eb) => eb('topic', '=', `user:${userId}`).or('topic', 'like', `user:${userId}/%`))
    .execute();
}

export const listSignalsSince = (db: Db, since: number): Promise<SignalsTable[]> =>
  db
    .selectFrom('signals')
    .selectAll()
    .where('created_at', '>=', since)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
