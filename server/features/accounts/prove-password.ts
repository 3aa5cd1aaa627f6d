import type { Deps } from '../../deps.ts';
import { AppError } from '../../http/app-error.ts';
import type { Viewer } from '../../http/guards.ts';
import type { RateLimit } from '../../http/rate-limit.ts';
import { verifyPassword } from '../../passwords.ts';
import { findUserById } from './queries.ts';

/** Guesses at the password by somebody who found a device signed in. */
export const proofByUser: RateLimit = { name: 'proof-user', limit: 10, periodMs: 15 * 60_000 };

/** Everybody knows these passwords; changed by one, the demo would be lost to all others. */
export function refuseDemoAccount(viewer: Viewer) {
  if (viewer.user.is_demo) throw new AppError('demo_account');
}

/** Answers the hash that the password matched, to see in a transaction that it still is the one. */
export async function provePassword(
  { database, passwordCost }: Deps,
  viewer: Viewer,
  { password, field }: { password: string; field: string },
): Promise<string> {
  const user = await findUserById(database.db, viewer.user.id);
  const isRight = await verifyPassword(user?.password_hash, password, passwordCost);
  if (user && isRight) return user.password_hash;
  const { message } = new AppError('wrong_password');
  throw new AppError('wrong_password', { fields: { [field]: message } });
}
