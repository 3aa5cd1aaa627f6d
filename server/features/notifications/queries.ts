import type { PushSubscriptionsTable } from '../../db/types/account-tables.ts';
import type { Db } from '../../db/connect.ts';

/** A device has one row: whoever logs in on it next takes it over. */
export async function saveSubscription(tx: Db, row: PushSubscriptionsTable): Promise<void> {
  await tx
    .deleteFrom('push_subscriptions')
    .where('session_hash', '=', row.session_hash)
    .where('endpoint_hash', '<>', row.endpoint_hash)
    .execute();
  const { id: _id, endpoint_hash: _hash, ...rest } = row;
  await tx
    .insertInto('push_subscriptions')
    .values(row)
    .onConflict((conflict) => conflict.column('endpoint_hash').doUpdateSet(rest))
    .execute();
}

export const deleteSubscription = (db: Db, id: string) =>
  db.deleteFrom('push_subscriptions').where('id', '=', id).execute();

export const deleteSubscriptionOf = (db: Db, sessionHash: string) =>
  db.deleteFrom('push_subscriptions').where('session_hash', '=', sessionHash).execute();

export async function hasSubscription(db: Db, sessionHash: string): Promise<boolean> {
  const row = await db
    .selectFrom('push_subscriptions')
    .select('id')
    .where('session_hash', '=', sessionHash)
    .executeTakeFirst();
  return row !== undefined;
}

/** With what decides whether their user may hear of a track. Only of sessions that haven't expired. */
const selectDevices = (db: Db, now: number) =>
  db
    .selectFrom('push_subscriptions')
    .innerJoin('users', 'users.id', 'push_subscriptions.user_id')
    .innerJoin('sessions', 'sessions.token_hash', 'push_subscriptions.session_hash')
    .select([
      'push_subscriptions.id',
      'push_subscriptions.user_id',
      'push_subscriptions.subscription',
      'users.is_admin',
      'users.is_helper',
      'users.paid_through',
    ])
    .where('sessions.expires_at', '>', now);

/** Ordered by id. */
export const listDevices = (
  db: Db,
  { after, limit }: { after: string; limit: number },
  now: number,
) =>
  selectDevices(db, now)
    .where('push_subscriptions.id', '>', after)
    .orderBy('push_subscriptions.id')
    .limit(limit)
    .execute();

/** Of these users. */
export const listDevicesOf = async (
  db: Db,
  userIds: readonly string[],
  now: number,
): Promise<Device[]> =>
  userIds.length === 0
    ? []
    : selectDevices(db, now)
        .where('push_subscriptions.user_id', 'in', userIds)
        .orderBy('push_subscriptions.id')
        .execute();

export const findDevice = (db: Db, id: string, now: number) =>
  selectDevices(db, now).where('push_subscriptions.id', '=', id).executeTakeFirst();

export type Device = NonNullable<Awaited<ReturnType<typeof findDevice>>>;

/** Which devices get notices. Their addresses would let anyone send to them, so they are left out. */
export async function* exportNotifications(db: Db, userId: string) {
  const rows = await db
    .selectFrom('push_subscriptions')
    .select('created_at')
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .execute();
  for (const row of rows) yield { kind: 'release notices', createdAt: row.created_at };
}
