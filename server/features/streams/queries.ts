import type { Db, DialectName, Tx } from '../../db/connect.ts';
import type { StreamsTable } from '../../db/types/account-tables.ts';

export type StreamRow = Omit<StreamsTable, 'session_hash' | 'app_password_id'>;

const COLUMNS = ['device', 'user_id', 'started_at', 'seen_at', 'stopped_at', 'told_at'] as const;

/** Two devices of one account that start at the same moment take turns. SQLite has one writer anyway. */
export async function lockUser(tx: Tx, dialect: DialectName, userId: string): Promise<void> {
  if (dialect === 'sqlite') return;
  await tx.selectFrom('users').select('id').where('id', '=', userId).forUpdate().execute();
}

/** Oldest first. */
export const listStreams = (tx: Tx, userId: string): Promise<StreamRow[]> =>
  tx
    .selectFrom('streams')
    .select(COLUMNS)
    .where('user_id', '=', userId)
    .orderBy('started_at')
    .orderBy('device')
    .execute();

/** A stream ends with the session or the app password that it belongs to. */
export async function saveStream(
  tx: Tx,
  { device, user_id, ...times }: StreamRow,
  appPasswordId: string | null,
) {
  const owner = {
    session_hash: appPasswordId === null ? device : null,
    app_password_id: appPasswordId,
  };
  await tx
    .insertInto('streams')
    .values({ device, user_id, ...owner, ...times })
    .onConflict((conflict) => conflict.column('device').doUpdateSet(times))
    .execute();
}

export async function stopStreams(tx: Tx, devices: readonly string[], now: number) {
  await tx.updateTable('streams').set({ stopped_at: now }).where('device', 'in', devices).execute();
}

export const touchStream = (db: Db, device: string, now: number) =>
  db
    .updateTable('streams')
    .set({ seen_at: now })
    .where('device', '=', device)
    .where('stopped_at', 'is', null)
    .execute();

export const findStream = (db: Db, device: string): Promise<StreamRow | undefined> =>
  db.selectFrom('streams').select(COLUMNS).where('device', '=', device).executeTakeFirst();

/** True only for the first of several simultaneous reports. */
export async function markTold(db: Db, device: string, now: number): Promise<boolean> {
  const row = await db
    .updateTable('streams')
    .set({ told_at: now })
    .where('device', '=', device)
    .where('told_at', 'is', null)
    .returning('device')
    .executeTakeFirst();
  return row !== undefined;
}

/** Rows of devices that haven't played for long: an app that comes from many networks has many. */
export const deleteQuietStreams = (tx: Tx, userId: string, before: number) =>
  tx.deleteFrom('streams').where('user_id', '=', userId).where('seen_at', '<', before).execute();
