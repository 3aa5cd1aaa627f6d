import type { Tx } from '../../db/connect.ts';
import type { Deps } from '../../deps.ts';
import { hashToken, newToken } from '../../http/tokens.ts';
import { deleteResetsOf, insertReset } from './reset-queries.ts';

/** A link that sets a new password, once; those made before it are dead. Its token is kept nowhere. */
export async function makeResetLink(
  tx: Tx,
  { clock, site }: Deps,
  { userId, validMs }: { userId: string; validMs: number },
): Promise<string> {
  const token = newToken();
  const now = clock.now();
  await deleteResetsOf(tx, userId);
  await insertReset(tx, { tokenHash: hashToken(token), userId, now, expiresAt: now + validMs });
  return `${site.origin}/reset-password/${token}`;
}
