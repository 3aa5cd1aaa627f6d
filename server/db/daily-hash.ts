import { createHmac } from 'node:crypto';
import type { Db } from './connect.ts';
import { readSecret } from './secrets.ts';

const PREFIX = 'networks ';

/**
 * Recognises a network for one day without storing it: once the key of the day is deleted, no one can
 * find out which network a hash belongs to, nor compare it with another day's.
 */
export async function hashForDay(db: Db, day: string, texts: readonly string[]): Promise<string[]> {
  const key = await readSecret(db, PREFIX + day);
  return texts.map((text) => createHmac('sha256', key).update(text).digest('base64url'));
}

/** Deletes the keys of earlier days. */
export const deleteDayKeys = (db: Db, today: string) =>
  db
    .deleteFrom('secrets')
    .where('name', '>=', PREFIX)
    .where('name', '<', PREFIX + today)
    .executeTakeFirst();
