import type { CurrentListen } from '#contract/clients/scrobble-rules.ts';
import type { ScrobbleService } from '#contract/clients/scrobbling.ts';
import type {
  CurrentListensTable,
  ScrobbleAccountsTable,
  ScrobblesTable,
} from '../../db/types/account-tables.ts';
import type { Db } from '../../db/connect.ts';

export type ScrobbleAccount = ScrobbleAccountsTable;
export type AccountKey = { userId: string; service: ScrobbleService };
type ListenKey = { userId: string; trackId: string };

export const listAccounts = (db: Db, userId: string): Promise<ScrobbleAccount[]> =>
  db.selectFrom('scrobble_accounts').selectAll().where('user_id', '=', userId).execute();

/** Those that get what the user listens to. */
export const listActiveServices = async (db: Db, userId: string): Promise<ScrobbleService[]> => {
  const rows = await db
    .selectFrom('scrobble_accounts')
    .select('service')
    .where('user_id', '=', userId)
    .where('is_paused', '=', 0)
    .where('refused_at', 'is', null)
    .execute();
  return rows.map(({ service }) => service);
};

export const findAccount = (db: Db, { userId, service }: AccountKey) =>
  db
    .selectFrom('scrobble_accounts')
    .selectAll()
    .where('user_id', '=', userId)
    .where('service', '=', service)
    .executeTakeFirst();

/** Connecting again keeps what waits. */
export const saveAccount = (tx: Db, account: ScrobbleAccount) =>
  tx
    .insertInto('scrobble_accounts')
    .values(account)
    .onConflict((conflict) => {
      const { user_id: _user, service: _service, ...rest } = account;
      return conflict.columns(['user_id', 'service']).doUpdateSet(rest);
    })
    .execute();

export const updateAccount = (
  tx: Db,
  { userId, service }: AccountKey,
  change: Partial<ScrobbleAccount>,
) =>
  tx
    .updateTable('scrobble_accounts')
    .set(change)
    .where('user_id', '=', userId)
    .where('service', '=', service)
    .execute();

export const setPaused = (tx: Db, userId: string, isPaused: boolean) =>
  tx
    .updateTable('scrobble_accounts')
    .set({ is_paused: isPaused ? 1 : 0 })
    .where('user_id', '=', userId)
    .execute();

export const deleteAccount = (tx: Db, { userId, service }: AccountKey) =>
  tx
    .deleteFrom('scrobble_accounts')
    .where('user_id', '=', userId)
    .where('service', '=', service)
    .execute();

export async function disconnectAll(tx: Db, userId: string) {
  await tx.deleteFrom('scrobble_accounts').where('user_id', '=', userId).execute();
  await updateIsScrobbling(tx, userId);
}

/** Call it in the transaction of every change of an account: heartbeats look at nothing else. */
export async function updateIsScrobbling(tx: Db, userId: string): Promise<void> {
  const services = await listActiveServices(tx, userId);
  const is_scrobbling = services.length > 0 ? 1 : 0;
  await tx.updateTable('users').set({ is_scrobbling }).where('id', '=', userId).execute();
  if (!is_scrobbling)
    await tx.deleteFrom('current_listens').where('user_id', '=', userId).execute();
}

export async function findCurrentListen(
  tx: Db,
  { userId, trackId }: ListenKey,
): Promise<CurrentListen | null> {
  const row = await tx
    .selectFrom('current_listens')
    .selectAll()
    .where('user_id', '=', userId)
    .where('track_id', '=', trackId)
    .executeTakeFirst();
  if (!row) return null;
  return {
    chapter: row.chapter,
    startedAt: row.started_at,
    heardMs: row.heard_ms,
    positionMs: row.position_ms,
    updatedAt: row.updated_at,
    isScrobbled: row.is_scrobbled === 1,
  };
}

export function saveCurrentListen(tx: Db, { userId, trackId }: ListenKey, listen: CurrentListen) {
  const values: Omit<CurrentListensTable, 'user_id' | 'track_id'> = {
    chapter: listen.chapter,
    started_at: listen.startedAt,
    heard_ms: listen.heardMs,
    position_ms: listen.positionMs,
    updated_at: listen.updatedAt,
    is_scrobbled: listen.isScrobbled ? 1 : 0,
  };
  return tx
    .insertInto('current_listens')
    .values({ user_id: userId, track_id: trackId, ...values })
    .onConflict((conflict) => conflict.columns(['user_id', 'track_id']).doUpdateSet(values))
    .execute();
}

export const findTracklist = (tx: Db, trackId: string) =>
  tx
    .selectFrom('tracks')
    .select(['title', 'duration_ms', 'chapters'])
    .where('id', '=', trackId)
    .executeTakeFirst();

export const insertScrobbles = (tx: Db, rows: readonly ScrobblesTable[]) =>
  tx
    .insertInto('scrobbles')
    .values([...rows])
    .onConflict((conflict) => conflict.doNothing())
    .execute();

/** Oldest first. */
export const listScrobbles = (db: Db, { userId, service }: AccountKey, limit: number) =>
  db
    .selectFrom('scrobbles')
    .selectAll()
    .where('user_id', '=', userId)
    .where('service', '=', service)
    .orderBy('listened_at')
    .orderBy('track_id')
    .orderBy('chapter')
    .limit(limit)
    .execute();

export async function deleteScrobbles(tx: Db, rows: readonly ScrobblesTable[]): Promise<void> {
  for (const row of rows)
    await tx
      .deleteFrom('scrobbles')
      .where('user_id', '=', row.user_id)
      .where('service', '=', row.service)
      .where('listened_at', '=', row.listened_at)
      .where('track_id', '=', row.track_id)
      .where('chapter', '=', row.chapter)
      .execute();
}

export async function hasScrobbles(tx: Db, key: AccountKey): Promise<boolean> {
  return (await listScrobbles(tx, key, 1)).length > 0;
}

export async function countScrobbles(db: Db, userId: string) {
  const rows = await db
    .selectFrom('scrobbles')
    .select(['service', ({ fn }) => fn.countAll<number>().as('count')])
    .where('user_id', '=', userId)
    .groupBy('service')
    .execute();
  return new Map(rows.map(({ service, count }) => [service, count]));
}

/** Accounts with something to send. */
export const listWaitingAccounts = (db: Db, limit: number) =>
  db
    .selectFrom('scrobble_accounts')
    .select(['user_id', 'service'])
    .where('refused_at', 'is', null)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('scrobbles')
          .select('listened_at')
          .whereRef('scrobbles.user_id', '=', 'scrobble_accounts.user_id')
          .whereRef('scrobbles.service', '=', 'scrobble_accounts.service'),
      ),
    )
    .limit(limit)
    .execute();

export const deleteOldScrobbles = (db: Db, before: number) =>
  db.deleteFrom('scrobbles').where('queued_at', '<', before).execute();

export const deleteOldListens = (db: Db, before: number) =>
  db.deleteFrom('current_listens').where('updated_at', '<', before).execute();

/** Connected services, and what they don't have yet. Tokens give access, so they are left out. */
export async function* exportScrobbling(db: Db, userId: string) {
  for (const account of await listAccounts(db, userId)) {
    const { service, server, username } = account;
    yield {
      service,
      server,
      username,
      connectedAt: account.connected_at,
      sentAt: account.sent_at,
      waiting: (await listScrobbles(db, { userId, service }, 10_000)).map((row) => ({
        artist: row.artist,
        title: row.title,
        release: row.release,
        listenedAt: row.listened_at,
      })),
    };
  }
}
