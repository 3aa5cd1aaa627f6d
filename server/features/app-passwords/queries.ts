import type { AppPasswordsTable } from '../../db/types/account-tables.ts';
import type { Db } from '../../db/connect.ts';
import { prepareQuery } from '../../db/prepare-query.ts';
import { USER_COLUMNS } from '../../http/route/sessions.ts';
import { forgetAppNetworks, forgetNetworks, nameAppPassword } from '../networks/service.ts';

export type AppPasswordRow = AppPasswordsTable;

/** Oldest first. */
export const listAppPasswordRows = (db: Db, userId: string): Promise<AppPasswordRow[]> =>
  db
    .selectFrom('app_passwords')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();

export async function insertAppPassword(db: Db, row: AppPasswordRow) {
  await db.insertInto('app_passwords').values(row).execute();
}

/** True if it existed. */
export async function deleteAppPasswordRow(db: Db, userId: string, id: string): Promise<boolean> {
  await forgetNetworks(db, { userId, credential: nameAppPassword(id) });
  const row = await db
    .deleteFrom('app_passwords')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

export async function endAppPasswords(db: Db, userId: string) {
  await db.deleteFrom('app_passwords').where('user_id', '=', userId).execute();
  await forgetAppNetworks(db, userId);
}

/** With the user, everything that decides about access, and the version of the catalogue. */
const selectWithUser = (db: Db) =>
  db
    .selectFrom('app_passwords')
    .innerJoin('users', 'users.id', 'app_passwords.user_id')
    .leftJoin('disabled_accounts', 'disabled_accounts.user_id', 'users.id')
    .leftJoin('catalogue_version', (join) => join.on('catalogue_version.id', '=', 1))
    .select([
      'app_passwords.id as app_password_id',
      'app_passwords.secret',
      'app_passwords.last_used_at',
      'app_passwords.last_client',
      'app_passwords.last_ip',
      'disabled_accounts.user_id as disabled_id',
      'catalogue_version.version',
      'catalogue_version.plays',
      ...USER_COLUMNS,
    ]);

export const findByHash = prepareQuery(
  (db, hash: string) => selectWithUser(db).where('app_passwords.secret_hash', '=', hash),
  1,
);

/** All of the account with this username or e-mail address. */
export const listByLogin = prepareQuery(
  (db, key: string) =>
    selectWithUser(db).where((eb) =>
      eb.or([eb('users.username_key', '=', key), eb('users.email_key', '=', key)]),
    ),
  1,
);

export type FoundAppPassword = Awaited<ReturnType<typeof findByHash>>[number];

export const touchAppPassword = (
  db: Db,
  id: string,
  use: Pick<AppPasswordRow, 'last_used_at' | 'last_client' | 'last_ip'>,
) => db.updateTable('app_passwords').set(use).where('id', '=', id).execute();

export async function* exportAppPasswords(db: Db, userId: string) {
  for (const row of await listAppPasswordRows(db, userId))
    yield {
      name: row.name,
      createdAt: row.created_at,
      lastUsedAt: row.last_used_at,
      lastClient: row.last_client,
      lastAddress: row.last_ip,
    };
}
