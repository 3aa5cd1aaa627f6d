import type { z } from 'zod';
import type { LoginBody, ProfileBody, RegisterBody } from '#contract/accounts.ts';
import type { Db } from '../../db/connect.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../http/app-error.ts';
import type { Viewer } from '../../http/guards.ts';
import { createSession, deleteSession } from '../../http/session-store.ts';
import { enqueue } from '../../jobs/queue.ts';
import { toAccountKey } from './account-keys.ts';
import { sendFarewell } from './jobs.ts';
import { findDisabledAccount } from './disabled-queries.ts';
import { addAccount, describeTaken } from './new-account.ts';
import { withCode } from './prove-code.ts';
import { hashPassword, verifyPassword } from '../../passwords.ts';
import {
  findTakenKeys,
  findUserByLogin,
  lockUserById,
  updateUser,
  type UserRow,
} from './queries.ts';
import { deleteResetsOf } from './reset-queries.ts';
import type { Visit } from './visit.ts';

export {
  changeAdministrator,
  listUsableAdministrators,
  refuseLastAdministrator,
} from './administrators.ts';
export { toAccountKey } from './account-keys.ts';
export { disableAccount, enableAccount } from './disable-account.ts';
export { findDisabledAccount } from './disabled-queries.ts';
export { dissolveAccount } from './dissolve-account.ts';
export { exportAccount, exportSessions } from './export.ts';
export { addAdministrator } from './new-account.ts';
export { withCode } from './prove-code.ts';
export { proofByUser, provePassword, refuseDemoAccount } from './prove-password.ts';
export { findUserByLogin, lockUserById } from './queries.ts';
export { makeResetLink } from './reset-link.ts';
export { readSessionsOf } from './sessions-service.ts';
export { describeVisit, type Visit } from './visit.ts';

export type SignedIn = { user: UserRow; token: string };

export async function startSession(
  db: Db,
  userId: string,
  visit: Visit,
  now: number,
): Promise<string> {
  if (visit.oldToken) await deleteSession(db, visit.oldToken);
  return createSession(db, { userId, userAgent: visit.userAgent.slice(0, 300), ip: visit.ip, now });
}

/** `isSubscriber` is not read: access follows from payments alone. */
export async function register(
  { database, clock, passwordCost }: Deps,
  input: z.output<typeof RegisterBody>,
  visit: Visit,
): Promise<SignedIn> {
  const passwordHash = await hashPassword(input.password, passwordCost);
  const now = clock.now();
  return database.db.transaction().execute(async (tx) => {
    const user = await addAccount(tx, { ...input, passwordHash }, now);
    return { user, token: await startSession(tx, user.id, visit, now) };
  });
}

/**
 * Who a sign-in is counted against: one account, whichever of its two names was typed. An unknown
 * name is looked up and counted all the same, so that the limit does not tell who exists.
 */
export async function identifyLogin({ database }: Deps, typed: string): Promise<string> {
  const key = toAccountKey(typed);
  const user = await findUserByLogin(database.db, key);
  return user ? `account ${user.id}` : `name ${key}`;
}

export async function login(
  deps: Deps,
  input: z.output<typeof LoginBody>,
  visit: Visit,
): Promise<SignedIn> {
  const { config, database, clock } = deps;
  const found = await findUserByLogin(database.db, toAccountKey(input.username));
  const user = found?.is_demo && !config.demo ? undefined : found;
  if (user?.is_demo && !visit.isLocal) throw new AppError('demo_only_local');
  const isRight = await verifyPassword(user?.password_hash, input.password, deps.passwordCost);
  if (!user || !isRight) throw new AppError('invalid_credentials');
  const now = clock.now();
  return withCode(deps, { userId: user.id, code: input.code }, async (tx) => {
    const current = await lockUserById(tx, database.dialect, user.id);
    // A reset that came in between has ended every session; this must not begin another.
    if (current?.password_hash !== user.password_hash) throw new AppError('invalid_credentials');
    if (await findDisabledAccount(tx, user.id)) throw new AppError('account_disabled');
    return { user: current, token: await startSession(tx, user.id, visit, now) };
  });
}

export async function logout({ database }: Deps, token: string | null) {
  if (token) await deleteSession(database.db, token);
}

/** Somebody else's profile does not exist as far as the caller can tell. */
export function assertOwnId(viewer: Viewer, id: string) {
  if (viewer.user.id !== id) throw new AppError('not_found');
}

/** A reset link in the mailbox of the old address must not open the account; its owner is told. */
async function leaveAddress(tx: Db, before: UserRow, now: number) {
  await deleteResetsOf(tx, before.id);
  const { email: to, username } = before;
  await enqueue(tx, sendFarewell, { to, username, event: 'email-changed' }, { now });
}

export async function updateProfile(
  { database, clock, jobs }: Deps,
  viewer: Viewer,
  id: string,
  input: z.output<typeof ProfileBody>,
): Promise<UserRow> {
  assertOwnId(viewer, id);
  const { username, email } = input;
  const change = {
    ...(username === undefined ? {} : { username, username_key: toAccountKey(username) }),
    ...(email === undefined ? {} : { email, email_key: toAccountKey(email) }),
  };
  try {
    const user = await database.db.transaction().execute(async (tx) => {
      const before = await lockUserById(tx, database.dialect, id);
      if (before && change.email_key && change.email_key !== before.email_key)
        await leaveAddress(tx, before, clock.now());
      return updateUser(tx, id, change, clock.now());
    });
    if (!user) throw new AppError('not_found');
    jobs.wake();
    return user;
  } catch (error) {
    if (error instanceof AppError) throw error;
    // The unique index has the last word; the two dialects only word it differently.
    const taken = await findTakenKeys(database.db, change, id);
    if (taken.username || taken.email) throw describeTaken(taken);
    throw error;
  }
}
