import { z } from 'zod';
import type { Db } from '../../db/connect.ts';
import type { Deps } from '../../deps.ts';
import { hashToken, newToken } from '../../http/tokens.ts';
import { attemptsOver } from '../../jobs/backoff.ts';
import { defineJob } from '../../jobs/define-job.ts';
import { enqueue } from '../../jobs/queue.ts';
import { toAccountKey } from './account-keys.ts';
import { AccountEvent, writeNotice } from './notice-message.ts';
import { findUserById, isAvatarUsed, lockUserByEmail } from './queries.ts';
import { writeResetMessage } from './reset-message.ts';
import { deleteResetsOf, insertReset } from './reset-queries.ts';
import { DAY, MINUTE } from '#contract/rules/time.ts';

const RESET_MINUTES = 60;

export const sendPasswordReset = defineJob({
  name: 'send-password-reset',
  payload: z.object({ email: z.string() }),
  // A mail server may be down for a night; the link is made anew at each attempt.
  maxAttempts: attemptsOver(DAY),
  run: async (deps: Deps, { email }) => {
    const { config, database, clock, mail, site } = deps;
    // Made here and not with the request, so that the token is never stored readable anywhere.
    const token = newToken();
    const now = clock.now();
    const user = await database.db.transaction().execute(async (tx) => {
      const found = await lockUserByEmail(tx, database.dialect, toAccountKey(email));
      if (!found || (found.is_demo && !config.demo)) return null;
      await deleteResetsOf(tx, found.id);
      const expiresAt = now + RESET_MINUTES * MINUTE;
      await insertReset(tx, { tokenHash: hashToken(token), userId: found.id, now, expiresAt });
      return found;
    });
    if (!user) return;
    await mail.send(
      writeResetMessage({
        to: user.email,
        username: user.username,
        siteName: config.siteName,
        link: `${site.origin}/reset-password/${token}`,
        minutes: RESET_MINUTES,
      }),
    );
  },
});

export const sendAccountNotice = defineJob({
  name: 'send-account-notice',
  payload: z.object({ userId: z.string(), event: AccountEvent }),
  maxAttempts: attemptsOver(DAY),
  run: async ({ database, mail, config, site }: Deps, { userId, event }) => {
    const user = await findUserById(database.db, userId);
    if (!user) return;
    const { email: to, username } = user;
    const { siteName } = config;
    await mail.send(writeNotice({ to, username, siteName, origin: site.origin, event }));
  },
});

/** In the transaction of what happened. */
export const tellOwner = (
  tx: Db,
  notice: { userId: string; event: Exclude<AccountEvent, 'deleted' | 'email-changed'> },
  now: number,
) => enqueue(tx, sendAccountNotice, notice, { now });

/** Carries the address itself: when it runs, nothing else here knows it any more. */
export const sendFarewell = defineJob({
  name: 'send-farewell',
  payload: z.object({
    to: z.string(),
    username: z.string(),
    event: AccountEvent.extract(['deleted', 'email-changed']),
  }),
  maxAttempts: attemptsOver(DAY),
  run: async ({ mail, config, site }: Deps, { to, username, event }) => {
    const { siteName } = config;
    await mail.send(writeNotice({ to, username, siteName, origin: site.origin, event }));
  },
});

/** Runs after a picture was replaced, and some time after each upload in case that never finished. */
export const dropUnusedAvatar = defineJob({
  name: 'drop-unused-avatar',
  payload: z.object({ key: z.string() }),
  run: async ({ database, storage }: Deps, { key }) => {
    if (!(await isAvatarUsed(database.db, key))) await storage.delete(key);
  },
});
