import type { z } from 'zod';
import type { LoginBody, ProfileBody, RegisterBody } from '#contract/accounts.ts';
import type { Db, Tx } from '../../db/connect.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../http/route/app-error.ts';
import type { Viewer } from '../../http/route/guards.ts';
import { newId } from '../../db/ids.ts';
import { enqueue, deleteIdleJobs } from '../../jobs/queue.ts';
import { hashPassword, isOutdatedHash, verifyPassword } from '../../background/passwords.ts';
import {
  sendFormerAddressMessage,
  deleteUnusedAvatar,
  sendAccountMessage,
  sendPasswordReset,
} from './jobs.ts';
import { findRefusal, forgetRefusal, listReports } from '../../ports/mail/refused-addresses.ts';
import { recordAcceptance } from '../legal/service.ts';
import { findKnownDevice, findTwoStepDevice } from './login/known-devices.ts';
import { deleteResets } from './login/password-reset.ts';
import {
  findDisabledAccount,
  buildUsernameColumns,
  findUsernameConflict,
  findUserById,
  findUserByLogin,
  insertUser,
  lockUserById,
  toAccountKey,
  updateRights,
  updateUser,
  type UserRow,
  deleteDisabledAccount,
  insertDisabledAccount,
} from './queries.ts';
import { refuseEasyPassword } from './login/refused-passwords.ts';
import { endSessions, startSession } from '../sessions/service.ts';
import type { LoginContext } from './login/login-context.ts';
import { findTotp } from './login/totp-queries.ts';
import { withLoginCode } from './login/totp-service.ts';
import {
  assertAnotherAdministrator,
  changeGrace,
  LAST_ADMINISTRATOR,
} from './login/administrators.ts';
import { confirmIdentity } from './login/confirm-identity.ts';
import { isDemoAccount } from '../../demo-accounts.ts';
import { checkDemoLogin } from './login/demo-login.ts';
import {
  buildUnclaimedKey,
  claimAddress,
  requestEmailChange,
  sendFirstLink,
} from './email/email-addresses.ts';
import { sendEmailLink, sendUndoLink } from './email/email-jobs.ts';
import { sendHelperInvitation, sendInvitation } from './invitations.ts';

export { startMailAgain } from './email/email-addresses.ts';
export { listSampleAccountMails } from './sample-mails.ts';
export {
  assertAnotherAdministrator,
  changeRole,
  type Role,
  listUsableAdministrators,
  resetProtection,
  startGrace,
} from './login/administrators.ts';
export { recordProxy, readDemoCode } from './login/demo-login.ts';
export { inviteHelper, inviteMember, isInvited } from './invitations.ts';
export { createResetLink } from './login/password-reset.ts';
export { forgetDevice, rememberDevice } from './login/known-devices.ts';
export { limitPasswordChecks, verifyCurrentPassword } from './login/refused-passwords.ts';
export { findPasswordProblem, refuseEasyPassword } from './login/refused-passwords.ts';
export {
  findDisabledAccount,
  findUserByLogin,
  lockUserByEmail,
  lockUserById,
  toAccountKey,
} from './queries.ts';
export { exportPasskeys } from './login/passkey-queries.ts';
export { toLoginContext, type LoginContext } from './login/login-context.ts';
export { withLoginCode } from './login/totp-service.ts';

export type LoggedIn = { user: UserRow; token: string };

const ALIKE = 'This username looks too much like another one. Choose a different one.';

function buildTakenError(conflict: 'taken' | 'alike' | null): AppError {
  const { message } = new AppError(
    'username_taken',
    conflict === 'alike' ? { message: ALIKE } : {},
  );
  return new AppError('username_taken', { message, fields: { username: message } });
}

type NewAccount = Pick<z.output<typeof RegisterBody>, 'username' | 'email'> & {
  passwordHash: string;
};

/**
 * Throws if the username, or one that looks like it, is taken. An address that another account has is
 * not an error, which would reveal that account: this one can log in with its username, and never gets
 * mail.
 */
async function createAccount(tx: Tx, account: NewAccount, now: number): Promise<UserRow> {
  const id = newId(now);
  const key = toAccountKey(account.email);
  const unclaimedKey = buildUnclaimedKey(key, id);
  const insert = (email_key: string) =>
    insertUser(tx, {
      id,
      username: account.username,
      email: account.email,
      email_key,
      email_verified_at: null,
      password_hash: account.passwordHash,
      created_at: now,
    });
  const holder = await findUserByLogin(tx, key);
  const user = await insert(holder ? unclaimedKey : key);
  if (user) return user;
  const conflict = await findUsernameConflict(tx, account.username);
  if (conflict) throw buildTakenError(conflict);
  // Another account with the address was created since we looked.
  const late = await insert(unclaimedKey);
  if (!late) throw buildTakenError(await findUsernameConflict(tx, account.username));
  return late;
}

export async function createAdministrator(
  tx: Tx,
  deps: Deps,
  account: NewAccount,
): Promise<UserRow> {
  const now = deps.clock.now();
  const user = await createAccount(tx, account, now);
  await updateRights(tx, user.id, { is_admin: 1, is_helper: 0 }, now);
  // The operator vouches for the address.
  const email_key = toAccountKey(user.email);
  await claimAddress(tx, email_key, user.id, now);
  await updateUser(tx, user.id, { email_key, email_verified_at: now }, now);
  const administrator: UserRow = { ...user, is_admin: 1, email_key, email_verified_at: now };
  return { ...administrator, admin_grace_until: await changeGrace(tx, deps, administrator) };
}

/**
 * Ignores `isSubscriber`: access follows from payments alone. The answer and the work are the same
 * for an address that has an account; only the mail to it differs.
 */
export async function register(
  { config, database, clock, jobs, passwordCost }: Deps,
  input: z.output<typeof RegisterBody>,
  context: LoginContext,
): Promise<LoggedIn> {
  const { username, email } = input;
  await refuseEasyPassword(input.password, { siteName: config.siteName, username, email });
  const passwordHash = await hashPassword(input.password, passwordCost);
  const now = clock.now();
  const loggedIn = await database.db.transaction().execute(async (tx) => {
    const user = await createAccount(tx, { ...input, passwordHash }, now);
    await recordAcceptance(tx, user.id, 'registration', now);
    await sendFirstLink(tx, user, now);
    return { user, token: await startSession(tx, user, context, now) };
  });
  jobs.wake();
  return loggedIn;
}

export async function login(
  deps: Deps,
  input: z.output<typeof LoginBody>,
  context: LoginContext,
): Promise<LoggedIn & { isTwoStep: boolean }> {
  const { database, clock } = deps;
  const found = await findUserByLogin(database.db, toAccountKey(input.username));
  const isDemo = found !== undefined && isDemoAccount(found.id);
  // Everyone knows the demo's password, so on a site these accounts don't exist.
  const user = isDemo && !deps.config.demo ? undefined : found;
  if (user && isDemo) await checkDemoLogin(deps, user, { ...context, code: input.code });
  const device = user ? await findKnownDevice(deps, context.deviceCookie, user.id) : null;
  const { password } = input;
  const isRight = await verifyPassword(user?.password_hash, password, deps.passwordCost, {
    isKnown: device !== null,
  });
  if (!user || !isRight)
    throw new AppError('invalid_credentials', { logged: { account: user?.id ?? 'unknown' } });
  const newHash = isOutdatedHash(user.password_hash, deps.passwordCost)
    ? await hashPassword(password, deps.passwordCost)
    : null;
  const now = clock.now();
  const twoStepDevice = await findTwoStepDevice(deps, context.deviceCookie, user.id);
  const code = { userId: user.id, code: input.code, device: twoStepDevice };
  return withLoginCode(deps, code, async (tx, isTwoStep) => {
    const current = await lockUserById(tx, database.dialect, user.id);
    // A password reset in the meantime has ended every session; don't start another.
    if (current?.password_hash !== user.password_hash) throw new AppError('invalid_credentials');
    if (await findDisabledAccount(tx, user.id))
      throw new AppError('account_disabled', { logged: { account: user.id } });
    if (newHash) await updateUser(tx, user.id, { password_hash: newHash }, now);
    const provedWith = isTwoStep ? 'code' : null;
    const token = await startSession(tx, current, context, now, provedWith);
    return { user: current, token, isTwoStep };
  });
}

/** Other users' profiles look as if they did not exist. */
export function assertOwnId(viewer: Viewer, id: string) {
  if (viewer.user.id !== id) throw new AppError('not_found');
}

/** A new address needs the password, and is the account's once its link is opened. */
export async function updateProfile(
  deps: Deps,
  viewer: Viewer,
  id: string,
  { username, email, password, code }: z.output<typeof ProfileBody>,
): Promise<UserRow> {
  assertOwnId(viewer, id);
  const { database, clock, jobs } = deps;
  const now = clock.now();
  // A name from before a rule about names stays as it is.
  const isNewName = username !== undefined && username !== viewer.user.username;
  const name = isNewName ? await buildUsernameColumns(username) : null;
  const isNewEmail = email !== undefined && toAccountKey(email) !== toAccountKey(viewer.user.email);
  const change = async (tx: Tx, user: UserRow | undefined) => {
    if (!user) throw new AppError('not_found');
    if (isNewEmail) await requestEmailChange(tx, user, email, now);
    const isRespelled = email !== undefined && !isNewEmail;
    // The address has changed since the session was read, so this is another one.
    if (isRespelled && toAccountKey(email) !== toAccountKey(user.email)) throw buildPasswordError();
    return updateUser(tx, id, { ...name, ...(isRespelled && { email }) }, now);
  };
  try {
    const user = await (isNewEmail
      ? confirmEmailOwner(deps, viewer, { password, code }, change)
      : database.db
          .transaction()
          .execute(async (tx) => change(tx, await lockUserById(tx, database.dialect, id))));
    if (!user) throw new AppError('not_found');
    jobs.wake();
    return user;
  } catch (error) {
    if (error instanceof AppError) throw error;
    // The unique index decides; the two databases report it with different errors.
    const conflict = name && (await findUsernameConflict(database.db, name.username, id));
    if (conflict) throw buildTakenError(conflict);
    throw error;
  }
}

const buildPasswordError = () =>
  new AppError('validation_failed', {
    fields: { password: 'Enter your password to change your e-mail address.' },
  });

async function confirmEmailOwner<T>(
  deps: Deps,
  viewer: Viewer,
  { password, code }: { password: string | undefined; code: string | undefined },
  work: (tx: Tx, user: UserRow) => Promise<T>,
): Promise<T> {
  if (password === undefined) throw buildPasswordError();
  return confirmIdentity(deps, viewer, { password, code }, work);
}

/** The account's own data, without anything that gives access to it. */
export async function* exportAccount(db: Db, userId: string) {
  const user = await findUserById(db, userId);
  if (!user) return;
  const totp = await findTotp(db, userId);
  const refusal = await findRefusal(db, user.email);
  yield {
    id: user.id,
    username: user.username,
    email: user.email,
    emailVerifiedAt: user.email_verified_at,
    pendingEmail: user.pending_email,
    ...(refusal && { emailRefusedAt: refusal.refused_at, emailRefusedBecause: refusal.reason }),
    mailReports: (await listReports(db, user.email)).map(({ kind, reason, reported_at: at }) => ({
      kind,
      reason,
      at,
    })),
    isAdmin: user.is_admin === 1,
    isHelper: user.is_helper === 1,
    paidThrough: user.paid_through,
    hasPicture: user.avatar_key !== null,
    twoStepLoginOnAt: totp?.confirmed_at ?? null,
    createdAt: user.created_at,
    updatedAt: user.updated_at,
  };
}

const mailJobs = [
  sendHelperInvitation,
  sendInvitation,
  sendPasswordReset,
  sendAccountMessage,
  sendFormerAddressMessage,
  sendEmailLink,
  sendUndoLink,
];

/** Deletes unsent messages, which contain personal data. A job that is running finds no user and ends. */
async function deleteMessagesTo(tx: Db, user: UserRow) {
  const key = toAccountKey(user.email);
  // Another account may have the address, and its messages stay.
  const isOwn = user.email_key === key;
  if (isOwn) await tx.deleteFrom('outbox').where('recipient', '=', user.email).execute();
  if (isOwn) await forgetRefusal(tx, user.email);
  const keys = isOwn ? [user.id, key] : [user.id];
  await deleteIdleJobs(tx, mailJobs, (payload) =>
    keys.some((text) => toAccountKey(payload).includes(text)),
  );
}

/** Deletes the user; every row that refers to it is deleted by its foreign key. */
export async function deleteUser(tx: Tx, user: UserRow, now: number) {
  await deleteMessagesTo(tx, user);
  if (user.avatar_key) await enqueue(tx, deleteUnusedAvatar, { key: user.avatar_key }, { now });
  if (user.email_verified_at !== null)
    await enqueue(
      tx,
      sendFormerAddressMessage,
      { to: user.email, username: user.username, event: 'deleted' },
      { now },
    );
  await tx.deleteFrom('users').where('id', '=', user.id).execute();
}

/** Ends every session and blocks new ones. True if the account was enabled before. */
export async function disableAccount(
  tx: Tx,
  deps: Deps,
  { id, reason }: { id: string; reason: string },
): Promise<boolean> {
  await assertAnotherAdministrator(tx, deps, id, LAST_ADMINISTRATOR);
  const user = await lockUserById(tx, deps.database.dialect, id);
  if (!user) throw new AppError('not_found');
  if (await findDisabledAccount(tx, id)) return false;
  await insertDisabledAccount(tx, { user_id: id, at: deps.clock.now(), reason });
  await endSessions(tx, deps, id, 'account disabled');
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
