import type { UsersTable } from '../../db/tables.ts';
import type { Db, DialectName, Tx } from '../../db/connect.ts';

export type UserRow = UsersTable;
type NewUser = Omit<UserRow, 'is_admin' | 'is_demo' | 'paid_through' | 'avatar_key' | 'updated_at'>;

export const findUserById = (db: Db, id: string): Promise<UserRow | undefined> =>
  db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst();

/** A username cannot contain an @, so a name is never mistaken for an address. */
export const findUserByLogin = (db: Db, key: string): Promise<UserRow | undefined> =>
  db
    .selectFrom('users')
    .selectAll()
    .where(key.includes('@') ? 'email_key' : 'username_key', '=', key)
    .executeTakeFirst();

/**
 * Whoever changes what opens an account (password, address, reset links, sessions) locks its row
 * first, so that two such changes never interleave. On SQLite the transaction is the lock.
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

/** Which of the two names another account holds. */
export async function findTakenKeys(
  db: Db,
  keys: { username_key?: string; email_key?: string },
  exceptId: string,
): Promise<{ username: boolean; email: boolean }> {
  const rows = await db
    .selectFrom('users')
    .select(['username_key', 'email_key'])
    .where('id', '<>', exceptId)
    .where((where) =>
      where.or([
        where('username_key', '=', keys.username_key ?? null),
        where('email_key', '=', keys.email_key ?? null),
      ]),
    )
    .execute();
  return {
    username: rows.some((row) => row.username_key === keys.username_key),
    email: rows.some((row) => row.email_key === keys.email_key),
  };
}

/** Nothing is inserted, and nothing answered, when either name is taken. */
export const insertUser = (db: Db, user: NewUser): Promise<UserRow | undefined> =>
  db
    .insertInto('users')
    .values({
      ...user,
      is_admin: 0,
      is_demo: 0,
      paid_through: null,
      avatar_key: null,
      updated_at: user.created_at,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();

type UserChange = Partial<
  Pick<
    UserRow,
    'username' | 'username_key' | 'email' | 'email_key' | 'password_hash' | 'avatar_key'
  >
>;

export const updateUser = (
  db: Db,
  id: string,
  change: UserChange,
  now: number,
): Promise<UserRow | undefined> =>
  db
    .updateTable('users')
    .set({ ...change, updated_at: now })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();

export const setAdministrator = (tx: Db, id: string, isAdmin: 0 | 1, now: number) =>
  tx
    .updateTable('users')
    .set({ is_admin: isAdmin, updated_at: now })
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
