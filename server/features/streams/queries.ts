import { sql } from 'kysely';
import type { Db, DialectName, Tx } from '../../db/connect.ts';
import type { StreamsTable } from '../../db/account-tables.ts';

/** A device is the hash of a session's token, or `APP_DEVICE` and the id of an app password. */
export type StreamRow = Omit<StreamsTable, 'session_hash'> & { device: string };

export const APP_DEVICE = 'app:';

/** Two devices of one account that start at the same moment take turns. SQLite has one writer anyway. */
export async function lockUser(tx: Tx, dialect: DialectName, userId: string): Promise<void> {
  if (dialect === 'sqlite') return;
  await tx.selectFrom('users').select('id').where('id', '=', userId).forUpdate().execute();
}

/** Oldest first. */
export async function listStreams(tx: Tx, userId: string): Promise<StreamRow[]> {
  const ofSessions = await tx
    .selectFrom('streams')
    .select(['session_hash as device', 'user_id', 'started_at', 'seen_at', 'stopped_at', 'told_at'])
    .where('user_id', '=', userId)
    .execute();
  const ofApps = await tx
    .selectFrom('app_streams')
    .select(['user_id', 'started_at', 'seen_at', 'stopped_at', 'told_at'])
    .select(sql<string>`'app:' || app_password_id`.as('device'))
    .where('user_id', '=', userId)
    .execute();
  return [...ofSessions, ...ofApps].toSorted(
    (a, b) => a.started_at - b.started_at || (a.device < b.device ? -1 : 1),
  );
}

export async function saveStream(tx: Tx, { device, user_id, ...times }: StreamRow) {
  if (device.startsWith(APP_DEVICE))
    await tx
      .insertInto('app_streams')
      .values({ app_password_id: device.slice(APP_DEVICE.length), user_id, ...times })
      .onConflict((conflict) => conflict.column('app_password_id').doUpdateSet(times))
      .execute();
  else
    await tx
      .insertInto('streams')
      .values({ session_hash: device, user_id, ...times })
      .onConflict((conflict) => conflict.column('session_hash').doUpdateSet(times))
      .execute();
}

const tableOf = (device: string) =>
  sql.table(device.startsWith(APP_DEVICE) ? 'app_streams' : 'streams');

const isDevice = (device: string) =>
  device.startsWith(APP_DEVICE)
    ? sql`app_password_id = ${device.slice(APP_DEVICE.length)}`
    : sql`session_hash = ${device}`;

export async function stopStreams(tx: Tx, devices: readonly string[], now: number) {
  for (const device of devices)
    await sql`update ${tableOf(device)} set stopped_at = ${now} where ${isDevice(device)}`.execute(
      tx,
    );
}

export const touchStream = (db: Db, device: string, now: number) =>
  sql`update ${tableOf(device)} set seen_at = ${now}
    where ${isDevice(device)} and stopped_at is null`.execute(db);

export async function findStream(db: Db, device: string): Promise<StreamRow | undefined> {
  const { rows } = await sql<Omit<StreamRow, 'device'>>`
    select user_id, started_at, seen_at, stopped_at, told_at
    from ${tableOf(device)} where ${isDevice(device)}`.execute(db);
  return rows[0] && { ...rows[0], device };
}

/** True only for the first of several simultaneous reports. */
export async function markTold(db: Db, device: string, now: number): Promise<boolean> {
  const { rows } = await sql`update ${tableOf(device)} set told_at = ${now}
    where ${isDevice(device)} and told_at is null returning user_id`.execute(db);
  return rows.length > 0;
}
