import type { z } from 'zod';
import type { LoginBody, ProfileBody, RegisterBody } from '#contract/accounts.ts';
import type { Db, Tx } from '../../db/connect.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../http/app-error.ts';
import type { Viewer } from '../../http/guards.ts';
import { deleteSession, deleteUserSessions } from '../../http/sessions.ts';
import { newId } from '../../ids.ts';
import { enqueue, deleteIdleJobs } from '../../jobs/queue.ts';
import { hashPassword, verifyPassword } from '../../passwords.ts';
import {
  sendFormerAddressMessage,
  deleteUnusedAvatar,
  sendAccountMessage,
  sendPasswordReset,
} from './jobs.ts';
import { recordAcceptance } from '../legal/service.ts';
import { deleteResets } from './password-reset.ts';
import {
  findDisabledAccount,
  findTakenKeys,
  findUserById,
  findUserByLogin,
  insertUser,
  lockUserById,
  toAccountKey,
  updateIsAdmin,
  updateUser,
  type UserRow,
  deleteDisabledAccount,
  insertDisabledAccount,
} from './queries.ts';
import { startSession, type LoginContext } from './sessions.ts';
import { findTotp } from './totp-queries.ts';
import { withLoginCode } from './totp-service.ts';
import { assertAnotherAdministrator, LAST_ADMINISTRATOR } from './administrators.ts';

export {
  assertAnotherAdministrator,
  changeAdminRole,
  listUsableAdministrators,
} from './administrators.ts';
export { createResetLink } from './password-reset.ts';
export { limitPasswordChecks, refuseDemoAccount, verifyCurrentPassword } from './passwords.ts';
export { findDisabledAccount, findUserByLogin, lockUserById, toAccountKey } from './queries.ts';
export {
  exportSessions,
  listUserSessions,
  startSession,
  toLoginContext,
  type LoginContext,
} from './sessions.ts';
export { withLoginCode } from './totp-service.ts';

export type LoggedIn = { user: UserRow; token: string };

function buildTakenError(taken: { username: boolean; email: boolean }): AppError {
  const code = taken.username ? 'username_taken' : 'email_taken';
  const { message } = new AppError(code);
  const fields = {
    ...(taken.username ? { username: new AppError('username_taken').message } : {}),
    ...(taken.email ? { email: new AppError('email_taken').message } : {}),
  };
  return new AppError(code, { message, fields });
}

type NewAccount = Pick<z.output<typeof RegisterBody>, 'username' | 'email'> & {
  passwordHash: string;
};

/** Throws if the username or the e-mail address is taken. */
async function createAccount(tx: Tx, account: NewAccount, now: number): Promise<UserRow> {
  const keys = {
    username_key: toAccountKey(account.username),
    email_key: toAccountKey(account.email),
  };
  const user = await insertUser(tx, {
    id: newId(now),
    username: account.username,
    email: account.email,
    ...keys,
    password_hash: account.passwordHash,
    created_at: now,
  });
  if (!user) throw buildTakenError(await findTakenKeys(tx, keys, ''));
  return user;
}

export async function createAdministrator(
  tx: Tx,
  account: NewAccount,
  now: number,
): Promise<UserRow> {
  const user = await createAccount(tx, account, now);
  await updateIsAdmin(tx, user.id, 1, now);
  return { ...user, is_admin: 1 };
}

/** Ignores `isSubscriber`: access follows from payments alone. */
export async function register(
  { database, clock, passwordCost }: Deps,
  input: z.output<typeof RegisterBody>,
  context: LoginContext,
): Promise<LoggedIn> {
  const passwordHash = await hashPassword(input.password, passwordCost);
  const now = clock.now();
  return database.db.transaction().execute(async (tx) => {
    const user = await createAccount(tx, { ...input, passwordHash }, now);
    await recordAcceptance(tx, user.id, 'registration', now);
    return { user, token: await startSession(tx, user.id, context, now) };
  });
}

/**
 * The rate-limit subject of a login: the account, whether its username or its e-mail address was
 * entered. Unknown names count too, so that the limit does not reveal which accounts exist.
 */
export async function findLoginSubject({ database }: Deps, name: string): Promise<string> {
  const key = toAccountKey(name);
  const user = await findUserByLogin(database.db, key);
  return user ? `account ${user.id}` : `name ${key}`;
}

export async function login(
  deps: Deps,
  input: z.output<typeof LoginBody>,
  context: LoginContext,
): Promise<LoggedIn> {
  const { config, database, clock } = deps;
  const found = await findUserByLogin(database.db, toAccountKey(input.username));
  const user = found?.is_demo && !config.demo ? undefined : found;
  if (user?.is_demo && !context.isLocal) throw new AppError('demo_only_local');
  const isRight = await verifyPassword(user?.password_hash, input.password, deps.passwordCost);
  if (!user || !isRight) throw new AppError('invalid_credentials');
  const now = clock.now();
  return withLoginCode(deps, { userId: user.id, code: input.code }, async (tx) => {
    const current = await lockUserById(tx, database.dialect, user.id);
    // A password reset in the meantime has ended every session; don't start another.
    if (current?.password_hash !== user.password_hash) throw new AppError('invalid_credentials');
    if (await findDisabledAccount(tx, user.id)) throw new AppError('account_disabled');
    return { user: current, token: await startSession(tx, user.id, context, now) };
  });
}

export async function logout({ database }: Deps, token: string | null) {
  if (token) await deleteSession(database.db, token);
}

/** Other users' profiles look as if they did not exist. */
export function assertOwnId(viewer: Viewer, id: string) {
  if (viewer.user.id !== id) throw new AppError('not_found');
}

/** A reset link in the old mailbox must not open the account. Its owner gets a message. */
async function detachEmail(tx: Db, before: UserRow, now: number) {
  await deleteResets(tx, before.id);
  const { email: to, username } = before;
  await enqueue(tx, sendFormerAddressMessage, { to, username, event: 'email-changed' }, { now });
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
        await detachEmail(tx, before, clock.now());
      return updateUser(tx, id, change, clock.now());
    });
    if (!user) throw new AppError('not_found');
    jobs.wake();
    return user;
  } catch (error) {
    if (error instanceof AppError) throw error;
    // The unique index decides; the two databases report it with different errors.
    const taken = await findTakenKeys(database.db, change, id);
    if (taken.username || taken.email) throw buildTakenError(taken);
    throw error;
  }
}

/** The account's own data, without anything that gives access to it. */
export async function* exportAccount(db: Db, userId: string) {
  const user = await findUserById(db, userId);
  if (!user) return;
  const totp = await findTotp(db, userId);
  yield {
    id: user.id,
    username: user.username,
    email: user.email,
    isAdmin: user.is_admin === 1,
    paidThrough: user.paid_through,
    hasPicture: user.avatar_key !== null,
    twoStepLoginOnAt: totp?.confirmed_at ?? null,
    createdAt: user.created_at,
    updatedAt: user.updated_at,
  };
}

const mailJobs = [sendPasswordReset, sendAccountMessage, sendFormerAddressMessage];

/** Deletes unsent messages, which contain personal data. A job that is running finds no user and ends. */
async function deleteMessagesTo(tx: Db, user: UserRow) {
  await tx.deleteFrom('outbox').where('recipient', '=', user.email).execute();
  const keys = [user.id, user.email_key];
  await deleteIdleJobs(tx, mailJobs, (payload) =>
    keys.some((key) => toAccountKey(payload).includes(key)),
  );
}

/** Deletes the user; every row that refers to it is deleted by its foreign key. */
export async function deleteUser(tx: Tx, user: UserRow, now: number) {
  await deleteMessagesTo(tx, user);
  if (user.avatar_key) await enqueue(tx, deleteUnusedAvatar, { key: user.avatar_key }, { now });
  await enqueue(
    tx,
    sendFormerAddressMessage,
    { to: user.email, username: user.username, event: 'deleted' },
    { now },
  );
  await tx.deleteFrom('users').where('id', '=', user.id).execute();
}

const SHARED = 'Demo accounts are shared and can’t be disabled.';

/** Ends every session and blocks new ones. True if the account was enabled before. */
export async function disableAccount(
  tx: Tx,
  deps: Deps,
  { id, reason }: { id: string; reason: string },
): Promise<boolean> {
  await assertAnotherAdministrator(tx, deps, id, LAST_ADMINISTRATOR);
  const user = await lockUserById(tx, deps.database.dialect, id);
  if (!user) throw new AppError('not_found');
  if (user.is_demo) throw new AppError('demo_account', { message: SHARED });
  if (await findDisabledAccount(tx, id)) return false;
  await insertDisabledAccount(tx, { user_id: id, at: deps.clock.now(), because: reason });
  await deleteUserSessions(tx, id);
  await deleteResets(tx, id);
  return true;
}

/** True if the account was disabled before. */
export async function enableAccount(tx: Tx, { database }: Deps, id: string): Promise<boolean> {
  if (!(await lockUserById(tx, database.dialect, id))) throw new AppError('not_found');
  if (!(await findDisabledAccount(tx, id))) return false;
  await deleteDisabledAccount(tx, id);
  return true;
}
