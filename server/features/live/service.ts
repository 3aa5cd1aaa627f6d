import type { Db } from '../../db/connect.ts';
import { newId } from '../../ids.ts';
import { insertSignal } from './queries.ts';

export type Topic = `user:${string}` | `admin:${string}`;

/** In the transaction of the change itself: nobody is told of what did not happen, or not told of what did. */
export async function publishSignal(tx: Db, topic: Topic, now: number): Promise<void> {
  await insertSignal(tx, { id: newId(), topic, created_at: now });
}
