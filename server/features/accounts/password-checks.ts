import { MINUTE } from '#contract/rules/time.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../http/app-error.ts';
import type { Viewer } from '../../http/guards.ts';
import type { RateLimit } from '../../http/rate-limit.ts';
import { verifyPassword } from '../../passwords.ts';
import { findUserById } from './queries.ts';

/** Stops someone who finds a logged-in device from guessing the password, and no other device. */
const passwordChecksByUser: RateLimit = {
  name: 'password-check-user',
  limit: 10,
  periodMs: 15 * MINUTE,
};

/** Only wrong passwords count. */
export const limitPasswordChecks = ({ viewer }: { viewer: Viewer }) => [
  {
    rule: passwordChecksByUser,
    subject: `${viewer.user.id} ${viewer.sessionHash ?? ''}`,
    isReleasedOnSuccess: true,
  },
];

/** The demo passwords are public: one visitor could lock out all the others. */
export function refuseDemoAccount(viewer: Viewer) {
  if (viewer.user.is_demo) throw new AppError('demo_account');
}

/** Returns the hash that the password matched, so that a transaction can check it is still current. */
export async function verifyCurrentPassword(
  { database, passwordCost }: Deps,
  viewer: Viewer,
  { password, field }: { password: string; field: string },
): Promise<string> {
  const user = await findUserById(database.db, viewer.user.id);
  const isRight = await verifyPassword(user?.password_hash, password, passwordCost, {
    isKnown: true,
  });
  if (user && isRight) return user.password_hash;
  const { message } = new AppError('wrong_password');
  throw new AppError('wrong_password', { fields: { [field]: message } });
}
