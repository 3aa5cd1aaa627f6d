import type { Db } from '../../db/connect.ts';

export async function deleteResetsOf(db: Db, userId: string) {
  await db.deleteFrom('password_resets').where('user_id', '=', userId).execute();
}

type NewReset = { tokenHash: string; userId: string; now: number; expiresAt: number };

export async function insertReset(db: Db, { tokenHash, userId, now, expiresAt }: NewReset) {
  await db
    .insertInto('password_resets')
    .values({ token_hash: tokenHash, user_id: userId, created_at: now, expires_at: expiresAt })
    .execute();
}

export async function findResetUser(db: Db, tokenHash: string): Promise<string | null> {
  const row = await db
    .selectFrom('password_resets')
    .select('user_id')
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst();
  return row?.user_id ?? null;
}

/** Takes the token out of use and answers whose it was: of two simultaneous uses one gets it. */
export async function takeReset(db: Db, tokenHash: string, now: number): Promise<string | null> {
  const row = await db
    .deleteFrom('password_resets')
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', now)
    .returning('user_id')
    .executeTakeFirst();
  return row?.user_id ?? null;
}
