import type { Db } from '../../db/connect.ts';
import type { DisabledAccountsTable } from '../../db/operations-tables.ts';

export const findDisabledAccount = (
  db: Db,
  userId: string,
): Promise<DisabledAccountsTable | undefined> =>
  db.selectFrom('disabled_accounts').selectAll().where('user_id', '=', userId).executeTakeFirst();

/** Which of these accounts are shut. */
export async function findDisabled(db: Db, userIds: readonly string[]): Promise<Set<string>> {
  if (userIds.length === 0) return new Set();
  const rows = await db
    .selectFrom('disabled_accounts')
    .select('user_id')
    .where('user_id', 'in', userIds)
    .execute();
  return new Set(rows.map((row) => row.user_id));
}

export const insertDisabled = (tx: Db, row: DisabledAccountsTable) =>
  tx
    .insertInto('disabled_accounts')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute();

export const deleteDisabled = (tx: Db, userId: string) =>
  tx.deleteFrom('disabled_accounts').where('user_id', '=', userId).execute();
