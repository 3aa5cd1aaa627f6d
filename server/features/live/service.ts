import { newId } from '../../ids.ts';
import type { Db } from '../../db/connect.ts';
import type { SignalsTable } from '../../db/tables.ts';

export type Topic = `user:${string}` | `admin:${string}`;

/** Call it in the transaction of the change, so that clients hear about it if and only if it commits. */
export async function publishSignal(tx: Db, topic: Topic, now: number): Promise<void> {
  await insertSignal(tx, { id: newId(), topic, created_at: now });
}

/** For an account that is deleted. */
export async function deleteUserSignals(tx: Db, userId: string): Promise<void> {
  await deleteSignals(tx, `user:${userId}`);
}

export const insertSignal = (tx: Db, signal: SignalsTable) =>
  tx.insertInto('signals').values(signal).execute();

export const deleteSignals = (tx: Db, topic: string) =>
  tx.deleteFrom('signals').where('topic', '=', topic).execute();

export const listSignalsSince = (db: Db, since: number): Promise<SignalsTable[]> =>
  db
    .selectFrom('signals')
    .selectAll()
    .where('created_at', '>=', since)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
