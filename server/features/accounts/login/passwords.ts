import type { z } from 'zod';
import type { ChangePasswordBody } from '#contract/security.ts';
import type { Deps } from '../../../deps.ts';
import { AppError } from '../../../http/route/app-error.ts';
import type { Viewer } from '../../../http/route/guards.ts';
import { hashToken } from '../../../http/route/tokens.ts';
import { enqueue } from '../../../jobs/queue.ts';
import { hashPassword } from '../../../background/passwords.ts';
import { confirmIdentity } from './confirm-identity.ts';
import { notifyUser, sendPasswordReset } from '../jobs.ts';
import { secureAddress, verifyByReset } from '../email/email-addresses.ts';
import { recordAcceptance } from '../../legal/service.ts';
import { endSessions } from '../../sessions/service.ts';
import { isInvited } from '../invitations.ts';
import { consumeReset, deleteResets, findReset } from './password-reset.ts';
import { findUserById, lockUserById, updateUser } from '../queries.ts';
import { deletePasskeys } from './passkey-queries.ts';
import { refuseEasyPassword } from './refused-passwords.ts';
import { findTotp, isConfirmed } from './totp-queries.ts';

/** Ends all other sessions and reset links: they may be the reason for the change. */
export async function changePassword(
  deps: Deps,
  viewer: Viewer,
  { currentPassword, newPassword, code }: z.output<typeof ChangePasswordBody>,
  /** Of the session that stays. */
  token: string | null,
) {
  const { id, username, email } = viewer.user;
  if ([username, email].some((name) => name.toLowerCase() === newPassword.toLowerCase())) {
    const fields = { newPassword: 'Your password can’t be your username or e-mail address.' };
    throw new AppError('validation_failed', { fields });
  }
  const { siteName } = deps.config;
  await refuseEasyPassword(newPassword, { siteName, username, email }, 'newPassword');
  const passwordHash = await hashPassword(newPassword, deps.passwordCost);
  const now = deps.clock.now();
  const proof = { password: currentPassword, code, field: 'currentPassword' };
  await confirmIdentity(deps, viewer, proof, async (tx, current) => {
    await updateUser(tx, id, { password_hash: passwordHash }, now);
    await deleteResets(tx, id);
    await endSessions(tx, deps, id, 'other devices logged out', hashToken(token ?? ''));
    await notifyUser(tx, { userId: id, event: 'password-changed' }, now);
    await secureAddress(tx, current, 'password-changed', now);
  });
  deps.jobs.wake();
}

/** Does the same work for unknown addresses, so that the response time gives nothing away. */
export async function requestReset(deps: Deps, email: string) {
  await enqueue(deps.database.db, sendPasswordReset, { email }, { now: deps.clock.now() });
  deps.jobs.wake();
}

/** Returns the user, and whether two-step login is on. */
export async function confirmReset(deps: Deps, input: { token: string; password: string }) {
  const { config, database, clock, jobs, passwordCost } = deps;
  const tokenHash = hashToken(input.token);
  const { siteName } = config;
  const found = await findReset(database.db, tokenHash);
  const owner = found && (await findUserById(database.db, found.user_id));
  await refuseEasyPassword(input.password, { siteName, ...owner });
  const passwordHash = await hashPassword(input.password, passwordCost);
  const now = clock.now();
  const account = await database.db.transaction().execute(async (tx) => {
    const reset = await findReset(tx, tokenHash);
    const user = reset && (await lockUserById(tx, database.dialect, reset.user_id));
    const userId = await consumeReset(tx, tokenHash, now);
    if (!user || !userId) throw new AppError('reset_token_invalid');
    await updateUser(tx, userId, { password_hash: passwordHash }, now);
    await deleteResets(tx, userId);
    await endSessions(tx, deps, userId, 'account was in other hands');
    // Someone who knew the old password may have added one.
    await deletePasskeys(tx, userId);
    await verifyByReset(tx, user, reset.email, now);
    // The mail says that a password means accepting them.
    if (isInvited(user)) await recordAcceptance(tx, userId, 'registration', now);
    await notifyUser(tx, { userId, event: 'password-reset' }, now);
    await secureAddress(tx, user, 'password-reset', now);
    return { userId, isTwoStep: isConfirmed(await findTotp(tx, userId)) };
  });
  jobs.wake();
  return account;
}
