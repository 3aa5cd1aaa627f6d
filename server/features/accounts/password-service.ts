import type { z } from 'zod';
import type { ChangePasswordBody } from '#contract/security.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../http/app-error.ts';
import type { Viewer } from '../../http/guards.ts';
import { deleteOtherSessions } from '../../http/session-store.ts';
import { hashToken } from '../../http/tokens.ts';
import { hashPassword } from '../../passwords.ts';
import { tellOwner } from './jobs.ts';
import { provePassword, refuseDemoAccount } from './prove-password.ts';
import { lockUserById, updateUser } from './queries.ts';
import { deleteResetsOf } from './reset-queries.ts';

/** Whoever else is signed in, or holds a reset link, may be the reason for the change. */
export async function changePassword(
  deps: Deps,
  viewer: Viewer,
  { currentPassword, newPassword }: z.output<typeof ChangePasswordBody>,
  asking: { token: string | null },
) {
  refuseDemoAccount(viewer);
  const { database, clock, jobs } = deps;
  const { id, username, email } = viewer.user;
  if ([username, email].some((name) => name.toLowerCase() === newPassword.toLowerCase())) {
    const fields = { newPassword: 'The password must not be the username or the e-mail address.' };
    throw new AppError('validation_failed', { fields });
  }
  const proof = { password: currentPassword, field: 'currentPassword' };
  const provenHash = await provePassword(deps, viewer, proof);
  const passwordHash = await hashPassword(newPassword, deps.passwordCost);
  const now = clock.now();
  await database.db.transaction().execute(async (tx) => {
    const current = await lockUserById(tx, database.dialect, id);
    // A reset came in between; what was typed here is no longer the present password.
    if (current?.password_hash !== provenHash) throw new AppError('wrong_password');
    await updateUser(tx, id, { password_hash: passwordHash }, now);
    await deleteResetsOf(tx, id);
    await deleteOtherSessions(tx, id, hashToken(asking.token ?? ''));
    await tellOwner(tx, { userId: id, event: 'password-changed' }, now);
  });
  jobs.wake();
}
