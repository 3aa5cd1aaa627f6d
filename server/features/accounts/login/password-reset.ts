import type { Db, Tx } from '../../../db/connect.ts';
import type { Deps } from '../../../deps.ts';
import { hashToken, newToken } from '../../../http/route/tokens.ts';

export async function deleteResets(db: Db, userId: string) {
  await db.deleteFrom('password_resets').where('user_id', '=', userId).execute();
}

export const findReset = (db: Db, tokenHash: string) =>
  db
    .selectFrom('password_resets')
    .select(['user_id', 'email'])
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst();

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

type NewReset = {
  userId: string;
  validMs: number;
  /** Where the link is mailed, if it is. */
  email?: string;
  /** For the first password of an imported member. */
  isInvitation?: boolean;
};

/** Sets a new password once. Earlier tokens stop working; only a hash of this one is stored. */
export async function createResetToken(
  tx: Tx,
  { clock }: Deps,
  { userId, validMs, email, isInvitation = false }: NewReset,
): Promise<string> {
  const token = newToken();
  const now = clock.now();
  await deleteResets(tx, userId);
  await tx
    .insertInto('password_resets')
    .values({
      token_hash: hashToken(token),
      user_id: userId,
      email: email ?? null,
      is_invitation: isInvitation ? 1 : 0,
      created_at: now,
      expires_at: now + validMs,
    })
    .execute();
  return token;
}

export const createResetLink = async (tx: Tx, deps: Deps, reset: NewReset): Promise<string> =>
  `${deps.site.origin}/reset-password/${await createResetToken(tx, deps, reset)}`;
