import type { Db } from '../../db/connect.ts';
import { newId } from '../../ids.ts';
import { deleteSignals, insertSignal } from './queries.ts';

export type Topic = `user:${string}` | `admin:${string}`;

/** In the transaction of the change itself: nobody is told of what did not happen, or not told of what did. */
export async function publishSignal(tx: Db, topic: Topic, now: number): Promise<void> {
  await insertSignal(tx, { id: newId(), topic, created_at: now });
}

/** Nobody is left who could be told. */
export async function forgetSignals(tx: Db, userId: string): Promise<void> {
  await deleteSignals(tx, `user:${userId}`);
}
