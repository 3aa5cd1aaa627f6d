import { toAccountKey } from '../../db/account-key.ts';
import { buildUser, buildUsernameLook } from '../../db/build-rows.ts';
import type { Db, DialectName, Tx } from '../../db/connect.ts';
import type { DisabledAccountsTable } from '../../db/types/operations-tables.ts';
import type { UsersTable } from '../../db/types/tables.ts';

export { toAccountKey };

export type UserRow = UsersTable;
type NewUser = Pick<
  UserRow,
  'id' | 'username' | 'email' | 'email_key' | 'password_hash' | 'created_at'
> & { email_verified_at?: null };

export const findUserById = (db: Db, id: string): Promise<UserRow | undefined> =>
  db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst();

/** Usernames cannot contain an @, so a key with one is an e-mail address. */
export const findUserByLogin = (db: Db, key: string): Promise<UserRow | undefined> =>
  db
    .selectFrom('users')
    .selectAll()
    .where(key.includes('@') ? 'email_key' : 'username_key', '=', key)
    .executeTakeFirst();

/**
 * Lock the row before changing a password, an address, reset links or sessions, so that two such
 * changes never interleave. On SQLite the transaction itself is the lock.
 */
const lockUser = (
  tx: Tx,
  dialect: DialectName,
  column: 'id' | 'email_key',
  value: string,
): Promise<UserRow | undefined> => {
  const query = tx.selectFrom('users').selectAll().where(column, '=', value);
  return (dialect === 'postgres' ? query.forUpdate() : query).executeTakeFirst();
};

export const lockUserById = (tx: Tx, dialect: DialectName, id: string) =>
  lockUser(tx, dialect, 'id', id);

export const lockUserByEmail = (tx: Tx, dialect: DialectName, emailKey: string) =>
  lockUser(tx, dialect, 'email_key', emailKey);

/** Ordered by id, so that two administrators who leave at once don't deadlock. */
export const lockAdministrators = (tx: Tx, dialect: DialectName): Promise<UserRow[]> => {
  const query = tx.selectFrom('users').selectAll().where('is_admin', '=', 1).orderBy('id');
  return (dialect === 'postgres' ? query.forUpdate() : query).execute();
};

/** The columns that make a username unique, also among those that look like it. */
export const buildUsernameColumns = async (username: string) => ({
  username,
  username_key: toAccountKey(username),
  username_look: await buildUsernameLook(username),
});

/** Whether another account has the username, or one that looks like it. */
export async function findUsernameConflict(
  db: Db,
  username: string,
  exceptId = '',
): Promise<'taken' | 'alike' | null> {
  const { username_key, username_look } = await buildUsernameColumns(username);
  const rows = await db
    .selectFrom('users')
    .select('username_key')
    .where((or) =>
      or.or([or('username_key', '=', username_key), or('username_look', '=', username_look)]),
    )
    .where('id', '<>', exceptId)
    .execute();
  if (rows.length === 0) return null;
  return rows.some((row) => row.username_key === username_key) ? 'taken' : 'alike';
}

/** Inserts nothing and returns undefined if the username or the e-mail address is taken. */
export const insertUser = async (db: Db, user: NewUser): Promise<UserRow | undefined> =>
  db
    .insertInto('users')
    .values(buildUser({ ...user, ...(await buildUsernameColumns(user.username)) }))
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();

type UserChange = Partial<
  Pick<
    UserRow,
    | 'username'
    | 'username_key'
    | 'username_look'
    | 'email'
    | 'email_key'
    | 'email_verified_at'
    | 'pending_email'
    | 'password_hash'
    | 'avatar_key'
  >
>;

export const updateUser = (db: Db, id: string, change: UserChange, now: number) =>
  db
    .updateTable('users')
    .set({ ...change, updated_at: now })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();

export type Rights = Pick<UserRow, 'is_admin' | 'is_helper'>;

export const updateRights = (tx: Db, id: string, rights: Rights, now: number) =>
  tx
    .updateTable('users')
    .set({ ...rights, updated_at: now })
    .where('id', '=', id)
    .execute();

export async function isAvatarUsed(db: Db, key: string): Promise<boolean> {
  const row = await db
    .selectFrom('users')
    .select('id')
    .where('avatar_key', '=', key)
    .executeTakeFirst();
  return row !== undefined;
}

export const findDisabledAccount = (db: Db, userId: string) =>
  db.selectFrom('disabled_accounts').selectAll().where('user_id', '=', userId).executeTakeFirst();

export async function listDisabledUserIds(
  db: Db,
  userIds: readonly string[],
): Promise<Set<string>> {
  if (userIds.length === 0) return new Set();
  const rows = await db
    .selectFrom('disabled_accounts')
    .select('user_id')
    .where('user_id', 'in', userIds)
    .execute();
  return new Set(rows.map((row) => row.user_id));
}

export const insertDisabledAccount = (tx: Db, row: DisabledAccountsTable) =>
  tx
    .insertInto('disabled_accounts')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute();

export const deleteDisabledAccount = (tx: Db, userId: string) =>
  tx.deleteFrom('disabled_accounts').where('user_id', '=', userId).execute();
