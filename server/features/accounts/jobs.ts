import { z } from 'zod';
import { formatDay } from '#contract/rules/format.ts';
import { DAY, MINUTE } from '#contract/rules/time.ts';
import type { Db } from '../../db/connect.ts';
import type { Deps } from '../../deps.ts';
import { findGrace } from '../../http/route/guards.ts';
import { countAttemptsWithin } from '../../jobs/backoff.ts';
import { defineJob } from '../../jobs/define-job.ts';
import { holdJob } from '../../jobs/held-jobs.ts';
import { enqueue } from '../../jobs/queue.ts';
import { requireSteadyClock } from '../../jobs/wrong-clock.ts';
import { readMailSite } from '../mails/service.ts';
import { AccountEvent, buildAccountMessage, buildResetMessage } from './account-messages.ts';
import { createResetLink } from './login/password-reset.ts';
import { findUserById, isAvatarUsed, lockUserByEmail, toAccountKey } from './queries.ts';

const RESET_MINUTES = 60;

export const sendPasswordReset = defineJob({
  name: 'send-password-reset',
  lane: 'urgent-mail',
  payload: z.object({ email: z.string() }),
  // A mail server may be down for a night; each attempt creates a new link.
  maxAttempts: countAttemptsWithin(DAY),
  canDiscard: true,
  run: async (deps: Deps, { email }) => {
    const { database, mail } = deps;
    // The link is created here, not with the request, so that the payload never holds its token.
    const found = await database.db.transaction().execute(async (tx) => {
      const user = await lockUserByEmail(tx, database.dialect, toAccountKey(email));
      if (!user) return null;
      const validMs = RESET_MINUTES * MINUTE;
      const reset = { userId: user.id, validMs, email: user.email };
      return { user, link: await createResetLink(tx, deps, reset) };
    });
    if (!found) return;
    const { email: to, username } = found.user;
    const { link } = found;
    const reset = { to, username, link, minutes: RESET_MINUTES };
    await mail.send(buildResetMessage(await readMailSite(deps), reset), { triesRefused: true });
  },
});

export const sendAccountMessage = defineJob({
  name: 'send-account-message',
  lane: 'urgent-mail',
  payload: z.object({ userId: z.string(), event: AccountEvent }),
  maxAttempts: countAttemptsWithin(DAY),
  run: async (deps: Deps, { userId, event }, job) => {
    const { database, clock, mail, config } = deps;
    const user = await findUserById(database.db, userId);
    if (!user) return;
    const grace = event === 'admin-grace' ? await findGrace(deps, user, '') : null;
    const end = grace?.until ?? null;
    // Set up by now, or no longer an administrator.
    if (event === 'admin-grace' && (!grace || grace.hasPasskey)) return;
    if (user.email_verified_at === null)
      return holdJob(database.db, job, { userId, now: clock.now() });
    const { email: to, username } = user;
    const day = end === null ? '' : formatDay(end, config.timeZone);
    await mail.send(buildAccountMessage(await readMailSite(deps), { to, username, event, day }));
  },
});

const FormerAddressEvent = AccountEvent.extract([
  'deleted',
  'email-undone',
  'email-change-cancelled',
]);

/** Call it in the transaction of the change. */
export const notifyUser = (
  tx: Db,
  message: { userId: string; event: Exclude<AccountEvent, z.infer<typeof FormerAddressEvent>> },
  now: number,
) => enqueue(tx, sendAccountMessage, message, { now });

/** The payload holds the address itself, because the account no longer does. */
export const sendFormerAddressMessage = defineJob({
  name: 'send-former-address-message',
  lane: 'urgent-mail',
  payload: z.object({
    to: z.string(),
    username: z.string(),
    event: FormerAddressEvent,
  }),
  maxAttempts: countAttemptsWithin(DAY),
  run: async (deps: Deps, message) =>
    deps.mail.send(buildAccountMessage(await readMailSite(deps), message)),
});

/** Runs after a picture is replaced, and an hour after each upload in case it never finished. */
export const deleteUnusedAvatar = defineJob({
  name: 'delete-unused-avatar',
  lane: 'files',
  payload: z.object({ key: z.string() }),
  run: async (deps: Deps, { key }) => {
    await requireSteadyClock(deps);
    if (!(await isAvatarUsed(deps.database.db, key))) await deps.storage.delete(key);
  },
});
