import { DAY, HOUR } from '#contract/rules/time.ts';
import type { Db, Tx } from '../../../db/connect.ts';
import type { Deps } from '../../../deps.ts';
import { AppError } from '../../../http/route/app-error.ts';
import type { Viewer } from '../../../http/route/guards.ts';
import { defineRateLimit, consumeRateLimit } from '../../../http/route/rate-limit.ts';
import { endSessions } from '../../sessions/service.ts';
import { releaseHeldJobs } from '../../../jobs/held-jobs.ts';
import { findRefusal, forgetRefusal } from '../../../ports/mail/refused-addresses.ts';
import { enqueue } from '../../../jobs/queue.ts';
import { buildDummyHash } from '../../../background/passwords.ts';
import { findUnconfirmedEmail, sendEmailLink, sendUndoLink } from './email-jobs.ts';
import {
  allowUndo,
  deleteConfirmLinks,
  deleteOverruledLinks,
  findEmailLink,
  listUndoAddresses,
  type EmailLink,
} from './email-links.ts';
import type { UndoReason } from './email-messages.ts';
import { transferInvitation } from '../invitations.ts';
import { sendFormerAddressMessage } from '../jobs.ts';
import { createResetToken, deleteResets } from '../login/password-reset.ts';
import { deletePasskeys } from '../login/passkey-queries.ts';
import {
  findUserByLogin,
  lockUserById,
  toAccountKey,
  updateUser,
  type UserRow,
} from '../queries.ts';
import { deleteTotp, findTotp, isConfirmed } from '../login/totp-queries.ts';

/** How long the former address can undo a change. */
const UNDO_MS = 7 * DAY;
const RESET_MS = HOUR;

/** Mails to an address that someone entered, who may not own it. */
export const linksByEmail = defineRateLimit({
  name: 'email-link-email',
  what: 'Links sent to one e-mail address to confirm it',
  limit: 5,
  periodMs: HOUR,
});

const UNDO_OVER =
  'This link is no longer valid. If you can’t get into your account, reset your password or contact us.';

const buildTakenError = (): AppError => {
  const { message } = new AppError('email_taken');
  return new AppError('email_taken', { fields: { email: message } });
};

/** The key of an address that another account has. */
export const buildUnclaimedKey = (key: string, userId: string): string => `${key} ${userId}`;

/**
 * Makes way for an account that has proved the address. Others that only entered it lose it; a
 * verified one keeps it. Returns the one that lost it.
 */
export async function claimAddress(
  tx: Tx,
  key: string,
  userId: string,
  now: number,
): Promise<UserRow | null> {
  const holder = await findUserByLogin(tx, key);
  if (!holder || holder.id === userId) return null;
  if (holder.email_verified_at !== null) throw buildTakenError();
  await updateUser(tx, holder.id, { email_key: buildUnclaimedKey(key, holder.id) }, now);
  return holder;
}

/** From now on the address is the user's. */
async function setVerifiedAddress(tx: Tx, user: UserRow, email: string, now: number) {
  const email_key = toAccountKey(email);
  const former = await claimAddress(tx, email_key, user.id, now);
  const change = { email, email_key, email_verified_at: now, pending_email: null };
  await updateUser(tx, user.id, change, now);
  if (toAccountKey(user.email) !== email_key) await forgetRefusal(tx, user.email);
  await startMailAgain(tx, { userId: user.id, email }, now);
  return former;
}

/**
 * Mail arrives at the address, as far as we know: what waited for that is sent now. True if it had
 * been stopped.
 */
export async function startMailAgain(
  tx: Tx,
  { userId, email }: { userId: string; email: string },
  now: number,
): Promise<boolean> {
  const wasRefused = await forgetRefusal(tx, email);
  await releaseHeldJobs(tx, userId, now);
  return wasRefused;
}

/** Asks the owner of the address for a confirmation, unless it has got many such mails. */
export async function sendFirstLink(tx: Tx, { id, email }: UserRow, now: number) {
  const use = { rule: linksByEmail, subject: toAccountKey(email) };
  const { isAllowed } = await consumeRateLimit(tx, use, now);
  if (isAllowed) await enqueue(tx, sendEmailLink, { userId: id, email, at: now }, { now });
}

/** The address stays as it is until a link in a mail to the new one is opened. */
export async function requestEmailChange(tx: Tx, user: UserRow, email: string, now: number) {
  await deleteConfirmLinks(tx, user.id);
  await updateUser(tx, user.id, { pending_email: email }, now);
  await enqueue(tx, sendEmailLink, { userId: user.id, email, at: now }, { now });
  await enqueueUndoLink(tx, user, { reason: 'requested', since: now }, now);
}

/** An address that nobody has verified may be a stranger's, so it isn't told anything. */
async function enqueueUndoLink(
  tx: Tx,
  user: UserRow,
  { reason, since }: { reason: UndoReason; since: number },
  now: number,
) {
  if (user.email_verified_at === null) return;
  const { id: userId, email } = user;
  const until = now + UNDO_MS;
  await allowUndo(tx, { user_id: userId, email, created_at: since, expires_at: until });
  await enqueue(tx, sendUndoLink, { userId, email, reason, since, until }, { now });
}

const buildLinkError = (kind: EmailLink['kind']): AppError =>
  kind === 'confirm'
    ? new AppError('email_link_invalid')
    : new AppError('email_link_invalid', { message: UNDO_OVER });

/** Locks the user of a link, whose state may have changed while we waited. */
async function lockLink(
  tx: Tx,
  { database }: Deps,
  search: { kind: EmailLink['kind']; token: string; now: number },
): Promise<{ link: EmailLink; user: UserRow }> {
  const found = await findEmailLink(tx, search);
  const user = found && (await lockUserById(tx, database.dialect, found.user_id));
  const link = user && (await findEmailLink(tx, search));
  if (!link) throw buildLinkError(search.kind);
  return { link, user };
}

/** Opening a link twice is fine: the second time changes nothing. */
export async function confirmEmail(deps: Deps, token: string): Promise<{ email: string }> {
  const { database, clock, jobs } = deps;
  const now = clock.now();
  const email = await database.db.transaction().execute(async (tx) => {
    const { link, user } = await lockLink(tx, deps, { kind: 'confirm', token, now });
    const key = toAccountKey(link.email);
    if (user.email_key === key && user.email_verified_at !== null) {
      await startMailAgain(tx, { userId: user.id, email: user.email }, now);
      return user.email;
    }
    const isChange = user.pending_email !== null && toAccountKey(user.pending_email) === key;
    if (!isChange && toAccountKey(user.email) !== key) throw new AppError('email_link_invalid');
    const former = await setVerifiedAddress(tx, user, link.email, now);
    if (former) await transferInvitation(tx, deps, user.id, former.id);
    if (isChange) {
      // A reset link in the old mailbox must not open the account.
      await deleteResets(tx, user.id);
      await enqueueUndoLink(tx, user, { reason: 'changed', since: link.created_at }, now);
    }
    return link.email;
  });
  jobs.wake();
  return { email };
}

/** Login codes that someone else may have set up since then would lock the owner out. */
async function deleteTotpSince(tx: Tx, userId: string, since: number) {
  const totp = await findTotp(tx, userId);
  if (totp && totp.created_at >= since) await deleteTotp(tx, userId);
}

/**
 * Gives the account back to the former address. Someone else knew the password, so it no longer
 * works: the returned token sets a new one.
 */
export async function undoEmailChange(
  deps: Deps,
  token: string,
): Promise<{ email: string; resetToken: string }> {
  const { database, clock, jobs, passwordCost } = deps;
  const now = clock.now();
  const undone = await database.db.transaction().execute(async (tx) => {
    const { link, user } = await lockLink(tx, deps, { kind: 'undo', token, now });
    const { email } = link;
    await setVerifiedAddress(tx, user, email, now);
    await updateUser(tx, user.id, { password_hash: buildDummyHash(passwordCost) }, now);
    await deleteOverruledLinks(tx, link);
    await endSessions(tx, deps, user.id, 'account was in other hands');
    await deletePasskeys(tx, user.id);
    await deleteTotpSince(tx, user.id, link.created_at);
    const isChanged = toAccountKey(user.email) !== toAccountKey(email);
    const other = isChanged ? user.email : user.pending_email;
    if (other !== null)
      await enqueue(
        tx,
        sendFormerAddressMessage,
        { to: other, username: user.username, event: 'email-undone' },
        { now },
      );
    const reset = { userId: user.id, validMs: RESET_MS, email };
    return { email, resetToken: await createResetToken(tx, deps, reset) };
  });
  jobs.wake();
  return undone;
}

async function cancelPendingChange(tx: Db, userId: string, now: number) {
  await deleteConfirmLinks(tx, userId);
  await updateUser(tx, userId, { pending_email: null }, now);
}

export async function cancelEmailChange({ database, clock }: Deps, viewer: Viewer) {
  const { id } = viewer.user;
  await database.db.transaction().execute(async (tx) => {
    const user = await lockUserById(tx, database.dialect, id);
    if (user && user.pending_email !== null) await cancelPendingChange(tx, id, clock.now());
  });
}

/** Sends the link to the address that the user still has to confirm. */
export async function resendEmailLink({ database, clock, jobs }: Deps, viewer: Viewer) {
  const now = clock.now();
  const { user } = viewer;
  const refusal = await findRefusal(database.db, user.email);
  const email = findUnconfirmedEmail(user) ?? (refusal ? user.email : null);
  if (email === null) throw new AppError('not_found');
  await enqueue(database.db, sendEmailLink, { userId: viewer.user.id, email, at: now }, { now });
  jobs.wake();
}

/**
 * A new password ends a change of address that someone who knew the old one may have asked for. Every
 * address that has to do with the account is told.
 */
export async function secureAddress(
  tx: Tx,
  user: UserRow,
  reason: 'password-reset' | 'password-changed',
  now: number,
) {
  const { id: userId, username, pending_email } = user;
  if (pending_email !== null) {
    await cancelPendingChange(tx, userId, now);
    const message = { to: pending_email, username, event: 'email-change-cancelled' as const };
    await enqueue(tx, sendFormerAddressMessage, message, { now });
  }
  for (const { email, since, until } of await listUndoAddresses(tx, userId, now))
    if (toAccountKey(email) !== user.email_key)
      await enqueue(tx, sendUndoLink, { userId, email, reason, since, until }, { now });
}

/**
 * The link was mailed to the address of the account, so its reader owns that. If two-step login is on,
 * that isn't enough: the address counts once someone who has the codes confirms it. Its owner, if
 * that is someone else, can register with it meanwhile.
 */
export async function verifyByReset(tx: Tx, user: UserRow, mailedTo: string | null, now: number) {
  const isOwn = mailedTo !== null && toAccountKey(mailedTo) === toAccountKey(user.email);
  if (!isOwn) return;
  if (user.email_verified_at !== null)
    return void (await startMailAgain(tx, { userId: user.id, email: user.email }, now));
  if (isConfirmed(await findTotp(tx, user.id))) return;
  await setVerifiedAddress(tx, user, user.email, now);
  // Until now anyone could have been logged in, and have begun to set it up.
  await deleteTotp(tx, user.id);
}
