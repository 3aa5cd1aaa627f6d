import type { Db, DialectName, Tx } from '../../db/connect.ts';
import type { StreamsTable } from '../../db/account-tables.ts';

export type StreamRow = StreamsTable;

/** Two devices of one account that start at the same moment take turns. SQLite has one writer anyway. */
export async function lockUser(tx: Tx, dialect: DialectName, userId: string): Promise<void> {
  if (dialect === 'sqlite') return;
  await tx.selectFrom('users').select('id').where('id', '=', userId).forUpdate().execute();
}

/** Oldest first. */
export const listStreams = (tx: Tx, userId: string): Promise<StreamRow[]> =>
  tx
    .selectFrom('streams')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('started_at')
    .orderBy('session_hash')
    .execute();

export const saveStream = (tx: Tx, row: StreamRow) =>
  tx
    .insertInto('streams')
    .values(row)
    .onConflict((conflict) => {
      const { session_hash: _key, user_id: _user, ...times } = row;
      return conflict.column('session_hash').doUpdateSet(times);
    })
    .execute();

export const stopStreams = (tx: Tx, sessionHashes: readonly string[], now: number) =>
  tx
    .updateTable('streams')
    .set({ stopped_at: now })
    .where('session_hash', 'in', sessionHashes)
    .execute();

export const touchStream = (db: Db, sessionHash: string, now: number) =>
  db
    .updateTable('streams')
    .set({ seen_at: now })
    .where('session_hash', '=', sessionHash)
    .where('stopped_at', 'is', null)
    .execute();

export const findStream = (db: Db, sessionHash: string): Promise<StreamRow | undefined> =>
  db.selectFrom('streams').selectAll().where('session_hash', '=', sessionHash).executeTakeFirst();

/** True only for the first of several simultaneous reports. */
export async function markTold(db: Db, sessionHash: string, now: number): Promise<boolean> {
  const row = await db
    .updateTable('streams')
    .set({ told_at: now })
    .where('session_hash', '=', sessionHash)
    .where('told_at', 'is', null)
    .returning('session_hash')
    .executeTakeFirst();
  return row !== undefined;
}
