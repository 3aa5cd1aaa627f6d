import { randomInt } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { z } from 'zod';
import { Username } from '#contract/accounts.ts';
import { DAY } from '#contract/rules/time.ts';
import type { Tx } from '../../db/connect.ts';
import type { Deps } from '../../deps.ts';
import { newId } from '../../db/ids.ts';
import { countAttemptsWithin } from '../../jobs/backoff.ts';
import { defineJob, type RunningJob } from '../../jobs/define-job.ts';
import { deleteIdleJobs, enqueue } from '../../jobs/queue.ts';
import { allowSendingAgain, planMessage, sendOnce } from '../../jobs/send-once.ts';
import { buildDummyHash, hasNoPassword } from '../../background/passwords.ts';
import { recordAction } from '../audit/service.ts';
import { endPaidPeriods, grantAccess, toLedgerContext } from '../billing/ledger/service.ts';
import { readMailSite } from '../mails/service.ts';
import { allowsMail, savePreferences } from '../preferences/service.ts';
import { AppError } from '../../http/route/app-error.ts';
import { notifyUser } from './jobs.ts';
import { buildInvitation } from './email/email-messages.ts';
import { changeRole } from './login/administrators.ts';
import { createResetLink } from './login/password-reset.ts';
import {
  findUserByLogin,
  insertUser,
  findUsernameConflict,
  lockUserById,
  toAccountKey,
  type UserRow,
} from './queries.ts';

/** A member who was imported and hasn't set a password yet: only the owner of the address can. */
export const isInvited = (user: Pick<UserRow, 'password_hash' | 'email_verified_at'>): boolean =>
  user.email_verified_at === null && hasNoPassword(user.password_hash);

const MAX_NAME = 30;
/** Room for a dash and six digits. */
const MAX_BASE = MAX_NAME - 7;

/** `Thandi Nkosi` becomes `Thandi.Nkosi`; without a name it is what comes before the @. */
function buildUsername({ name, email }: { name: string; email: string }): string {
  const clean = (text: string) =>
    text
      .normalize('NFC')
      .replace(/[^\p{L}\p{N}._-]+/gu, '.')
      .replace(/^[._-]+|[._-]+$/gu, '');
  return clean(name) || clean(email.split(/[@+]/, 1)[0] ?? '') || 'member';
}

/** The name itself, and then the name with ever more digits. */
function* listUsernames(account: { name: string; email: string }) {
  const name = buildUsername(account);
  const cut = (length: number) => {
    const letters = [...name];
    while (letters.join('').length > length) letters.pop();
    return letters.join('').replace(/[._-]+$/u, '');
  };
  if (Username.safeParse(cut(MAX_NAME)).success) yield cut(MAX_NAME);
  for (const digits of [2, 3, 4, 5, 6, 6, 6])
    yield `${cut(MAX_BASE)}-${randomInt(10 ** (digits - 1), 10 ** digits)}`;
}

const INVITATION_DAYS = 7;

const keyInvitation = (userId: string): string => `${userId}:invitation`;

type Invitation = { userId: string; key: string };

/** Asks for the first password. Whoever opens the link has proved the address. */
async function invite(deps: Deps, { userId, key }: Invitation, job: RunningJob) {
  const { config, clock, database } = deps;
  const site = await readMailSite(deps);
  // The link is created here, so that no payload holds its token.
  const message = await database.db.transaction().execute(async (tx) => {
    const user = await lockUserById(tx, database.dialect, userId);
    // Deleted since, or in already with “Forgot password”.
    if (!user || !isInvited(user)) return null;
    const { email } = user;
    const validMs = INVITATION_DAYS * DAY;
    const reset = { userId, validMs, email, isInvitation: true };
    return buildInvitation(site, {
      to: email,
      username: user.username,
      timeZone: config.timeZone,
      url: await createResetLink(tx, deps, reset),
      days: INVITATION_DAYS,
      isHelper: user.is_helper === 1,
      paidUntil: (user.paid_through ?? 0) > clock.now() ? user.paid_through : null,
    });
  });
  if (message) await sendOnce(deps, { ...message, key }, job);
}

/** To an imported member. */
export const sendInvitation = defineJob({
  name: 'send-invitation',
  lane: 'bulk-mail',
  payload: z.object({ userId: z.string() }),
  maxAttempts: countAttemptsWithin(2 * DAY),
  run: async (deps: Deps, { userId }, job) => {
    // There may be thousands, and SQLite and the outbox answer at once: requests get their turn.
    await setImmediate();
    await invite(deps, { userId, key: keyInvitation(userId) }, job);
  },
  onRetry: (tx, { userId }) => allowSendingAgain(tx, keyInvitation(userId)),
});

/** To one person, whom an administrator has asked: it doesn’t wait behind a letter to everyone. */
export const sendHelperInvitation = defineJob({
  name: 'send-helper-invitation',
  lane: 'mail',
  payload: z.object({ userId: z.string(), key: z.string() }),
  maxAttempts: countAttemptsWithin(2 * DAY),
  run: (deps: Deps, invitation, job) => invite(deps, invitation, job),
  onRetry: (tx, { key }) => allowSendingAgain(tx, key),
});

/** Every time anew: the link in an earlier one may be long over. One that still waits isn’t sent. */
async function planHelperInvitation(tx: Tx, userId: string, now: number) {
  await deleteIdleJobs(tx, [sendInvitation, sendHelperInvitation], (payload) =>
    payload.includes(userId),
  );
  const key = `${keyInvitation(userId)}:${newId(now)}`;
  await planMessage(tx, { key, userId }, now);
  await enqueue(tx, sendHelperInvitation, { userId, key }, { now });
}

/** An account without a password. Null if an account has the address. */
async function insertInvited(
  tx: Tx,
  { passwordCost }: Pick<Deps, 'passwordCost'>,
  account: { name: string; email: string },
  now: number,
): Promise<UserRow | null> {
  const email_key = toAccountKey(account.email);
  for (const username of listUsernames(account)) {
    if (await findUsernameConflict(tx, username)) continue;
    const user = await insertUser(tx, {
      id: newId(now),
      username,
      email: account.email,
      email_key,
      email_verified_at: null,
      password_hash: buildDummyHash(passwordCost),
      created_at: now,
    });
    if (user) return user;
    if (await findUserByLogin(tx, email_key)) return null;
  }
  throw new Error('Found no free username for an invited member.');
}

/**
 * The account of an imported member, whose address counts once its owner opens the link in the mail
 * that this enqueues. Null if an account has the address.
 */
export async function inviteMember(
  tx: Tx,
  deps: Pick<Deps, 'passwordCost'>,
  account: { name: string; email: string },
  now: number,
): Promise<UserRow | null> {
  const user = await insertInvited(tx, deps, account, now);
  if (!user) return null;
  await planMessage(tx, { key: keyInvitation(user.id), userId: user.id }, now);
  await enqueue(tx, sendInvitation, { userId: user.id }, { now });
  return user;
}

/** The account of somebody who is about to become a helper; without one they are invited by mail. */
export async function inviteHelper(tx: Tx, deps: Deps, email: string): Promise<UserRow> {
  const now = deps.clock.now();
  const found = await findUserByLogin(tx, toAccountKey(email));
  const user = found ?? (await insertInvited(tx, deps, { name: '', email }, now));
  if (!user) throw new Error('The address got an account meanwhile.');
  if (isInvited(user)) {
    await planHelperInvitation(tx, user.id, now);
    return user;
  }
  // Somebody else may have registered with it.
  if (user.email_verified_at === null)
    throw new AppError('email_unconfirmed', {
      message: `${user.username} hasn’t confirmed this address yet. Ask them to open the link in the mail we sent.`,
    });
  await notifyUser(tx, { userId: user.id, event: 'helper-added' }, now);
  return user;
}

/** Whoever is an administrator already stays one. */
async function takeHelperRole(tx: Tx, deps: Deps, userId: string) {
  const now = deps.clock.now();
  const user = await lockUserById(tx, deps.database.dialect, userId);
  if (!user || user.is_admin === 1 || user.is_helper === 1) return;
  await changeRole(tx, deps, { id: userId, role: 'helper' });
  await recordAction(
    tx,
    {
      actor: { userId },
      action: 'helper.added',
      subject: { kind: 'user', id: userId },
      before: { isHelper: false },
      after: { isHelper: true },
      reason: 'Invited with the same e-mail address.',
    },
    now,
  );
  await notifyUser(tx, { userId, event: 'helper-added' }, now);
}

/**
 * Somebody imported or invited who didn't open the link, but registered and confirmed the same
 * address: the new account gets the time, the choice and the role, and the invited one goes.
 */
export async function transferInvitation(
  tx: Tx,
  deps: Deps,
  userId: string,
  invitedId: string,
): Promise<void> {
  const invited = await lockUserById(tx, deps.database.dialect, invitedId);
  if (!invited || !isInvited(invited)) return;
  const context = toLedgerContext(deps);
  const { paid_through: until } = invited;
  const reason = 'Imported with the same e-mail address.';
  if ((until ?? 0) > context.now)
    await grantAccess(tx, userId, { until: until ?? 0, reason, actor: 'system' }, context);
  if (!(await allowsMail(tx, invitedId, 'releases')))
    await savePreferences(tx, userId, { releaseMails: false }, context.now);
  if (invited.is_helper === 1) await takeHelperRole(tx, deps, userId);
  await endPaidPeriods(tx, deps, invitedId);
  await tx.deleteFrom('users').where('id', '=', invitedId).execute();
}
