import type { Db } from '../../../db/connect.ts';
import type { TotpTable } from '../../../db/types/account-tables.ts';

export type TotpRow = TotpTable;

/** Two-step login is on only once the user has confirmed the secret with a code. */
export const isConfirmed = (totp: TotpRow | undefined): boolean =>
  typeof totp?.confirmed_at === 'number';

export const findTotp = (db: Db, userId: string): Promise<TotpRow | undefined> =>
  db.selectFrom('totp').selectAll().where('user_id', '=', userId).executeTakeFirst();

/** Replaces a secret that was never confirmed. */
export const savePendingTotp = (db: Db, row: Pick<TotpRow, 'user_id' | 'secret' | 'created_at'>) =>
  db
    .insertInto('totp')
    .values({ ...row, confirmed_at: null, last_step: 0 })
    .onConflict((conflict) =>
      conflict
        .column('user_id')
        .doUpdateSet({ secret: row.secret, created_at: row.created_at })
        .where('totp.confirmed_at', 'is', null),
    )
    .execute();

export const confirmTotp = (db: Db, userId: string, now: number) =>
  db.updateTable('totp').set({ confirmed_at: now }).where('user_id', '=', userId).execute();

/** True only the first time a code of this period is used. */
export async function consumeTotpStep(db: Db, userId: string, step: number): Promise<boolean> {
  const row = await db
    .updateTable('totp')
    .set({ last_step: step })
    .where('user_id', '=', userId)
    .where('last_step', '<', step)
    .returning('user_id')
    .executeTakeFirst();
  return row !== undefined;
}

const deleteRecoveryCodes = (db: Db, userId: string) =>
  db.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();

export async function deleteTotp(db: Db, userId: string) {
  await db.deleteFrom('totp').where('user_id', '=', userId).execute();
  await deleteRecoveryCodes(db, userId);
}

export async function replaceRecoveryCodes(db: Db, userId: string, hashes: readonly string[]) {
  await deleteRecoveryCodes(db, userId);
  await db
    .insertInto('recovery_codes')
    .values(hashes.map((code_hash) => ({ user_id: userId, code_hash })))
    .execute();
}

/** True if the code existed: each works once. */
export async function consumeRecoveryCode(db: Db, userId: string, hash: string): Promise<boolean> {
  const row = await db
    .deleteFrom('recovery_codes')
    .where('user_id', '=', userId)
    .where('code_hash', '=', hash)
    .returning('user_id')
    .executeTakeFirst();
  return row !== undefined;
}

export async function countRecoveryCodes(db: Db, userId: string): Promise<number> {
  const { count } = await db
    .selectFrom('recovery_codes')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  return count;
}
