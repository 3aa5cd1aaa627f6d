import { z } from 'zod';
import { DAY } from '#contract/rules/time.ts';
import type { Tx } from '../../../db/connect.ts';
import type { Deps } from '../../../deps.ts';
import { countAttemptsWithin } from '../../../jobs/backoff.ts';
import { defineJob } from '../../../jobs/define-job.ts';
import type { MailMessage } from '../../../ports/mail/mail.ts';
import { findRefusal } from '../../../ports/mail/refused-addresses.ts';
import { readMailSite, type MailSite } from '../../mails/service.ts';
import { createEmailLink, findFirstConfirmLink, mayUndo } from './email-links.ts';
import {
  buildConfirmMessage,
  buildKnownAddressMessage,
  buildRecheckMessage,
  buildUndoMessage,
  buildWelcomeMessage,
  UndoReason,
} from './email-messages.ts';
import { findUserByLogin, lockUserById, toAccountKey, type UserRow } from '../queries.ts';

const NEW_ACCOUNT_MS = 7 * DAY;
const CHANGE_MS = DAY;

/** The address whose owner still has to open the link in a mail. */
export const findUnconfirmedEmail = (
  user: Pick<UserRow, 'email' | 'pending_email' | 'email_verified_at'>,
): string | null => user.pending_email ?? (user.email_verified_at === null ? user.email : null);

type EmailRequest = { email: string; at: number };

/** A link to confirm the address; or, if it belongs to another account, a hint for its owner. */
async function writeMessage(
  tx: Tx,
  deps: Deps,
  site: MailSite,
  { user, email, at }: EmailRequest & { user: UserRow },
): Promise<MailMessage> {
  const { clock } = deps;
  const owner = await findUserByLogin(tx, toAccountKey(email));
  if (owner && owner.id !== user.id && owner.email_verified_at !== null)
    return buildKnownAddressMessage(site, {
      to: owner.email,
      username: owner.username,
      otherUsername: user.username,
    });
  const first = await findFirstConfirmLink(tx, { userId: user.id, email });
  const isChange = user.pending_email !== null;
  const url = await createEmailLink(tx, deps, {
    user_id: user.id,
    kind: 'confirm',
    email,
    created_at: first?.created_at ?? at,
    expires_at: clock.now() + (isChange ? CHANGE_MS : NEW_ACCOUNT_MS),
  });
  const mail = { to: email, username: user.username, url };
  if (user.pending_email === null && user.email_verified_at !== null)
    return buildRecheckMessage(site, mail);
  return isChange ? buildConfirmMessage(site, mail) : buildWelcomeMessage(site, mail);
}

export const sendEmailLink = defineJob({
  name: 'send-email-link',
  lane: 'urgent-mail',
  payload: z.object({ userId: z.string(), email: z.string(), at: z.int() }),
  maxAttempts: countAttemptsWithin(DAY),
  canDiscard: true,
  run: async (deps: Deps, { userId, ...request }) => {
    const { database, mail } = deps;
    const site = await readMailSite(deps);
    // The link is created here, not with the request, so that the payload never holds its token.
    const message = await database.db.transaction().execute(async (tx) => {
      const user = await lockUserById(tx, database.dialect, userId);
      if (!user) return null;
      const isUnconfirmed = findUnconfirmedEmail(user) === request.email;
      const isRefused = user.email === request.email && (await findRefusal(tx, user.email));
      return isUnconfirmed || isRefused ? writeMessage(tx, deps, site, { user, ...request }) : null;
    });
    if (message) await mail.send(message, { triesRefused: true });
  },
});

/** Tells the former address, which can take the account back. */
export const sendUndoLink = defineJob({
  name: 'send-undo-link',
  lane: 'urgent-mail',
  payload: z.object({
    userId: z.string(),
    email: z.string(),
    reason: UndoReason,
    since: z.int(),
    until: z.int(),
  }),
  maxAttempts: countAttemptsWithin(DAY),
  run: async (deps: Deps, { userId, email, reason, since, until }) => {
    const { config, database, mail } = deps;
    const site = await readMailSite(deps);
    const message = await database.db.transaction().execute(async (tx) => {
      const user = await lockUserById(tx, database.dialect, userId);
      const newEmail = user?.pending_email ?? user?.email ?? email;
      // Someone may have undone or cancelled the change since.
      if (!user || toAccountKey(newEmail) === toAccountKey(email)) return null;
      const right = { user_id: userId, email, created_at: since, expires_at: until };
      // This mail may be late: the account may be back with its owner, and the address a thief's.
      if (!(await mayUndo(tx, right))) return null;
      const url = await createEmailLink(tx, deps, { kind: 'undo', ...right });
      const { timeZone } = config;
      const { username } = user;
      const undo = { to: email, username, timeZone, newEmail, reason, url, until };
      return buildUndoMessage(site, undo);
    });
    if (message) await mail.send(message, { triesRefused: true });
  },
});
