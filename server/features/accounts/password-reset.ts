import type { Db, Tx } from '../../db/connect.ts';
import type { Deps } from '../../deps.ts';
import { hashToken, newToken } from '../../http/tokens.ts';

export async function deleteResets(db: Db, userId: string) {
  await db.deleteFrom('password_resets').where('user_id', '=', userId).execute();
}

export async function findResetUser(db: Db, tokenHash: string): Promise<string | null> {
  const row = await db
    .selectFrom('password_resets')
    .select('user_id')
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst();
  return row?.user_id ?? null;
}

/** Deletes the token and returns its user id. Of two simultaneous uses only one gets it. */
export async function consumeReset(db: Db, tokenHash: string, now: number): Promise<string | null> {
  const row = await db
    .deleteFrom('password_resets')
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', now)
    .returning('user_id')
    .executeTakeFirst();
  return row?.user_id ?? null;
}

/** A link that sets a new password once. Earlier links stop working; only a hash of the token is stored. */
export async function createResetLink(
  tx: Tx,
  { clock, site }: Deps,
  { userId, validMs }: { userId: string; validMs: number },
): Promise<string> {
  const token = newToken();
  const now = clock.now();
  await deleteResets(tx, userId);
  await tx
    .insertInto('password_resets')
    .values({
      token_hash: hashToken(token),
      user_id: userId,
      created_at: now,
      expires_at: now + validMs,
    })
    .execute();
  return `${site.origin}/reset-password/${token}`;
}
