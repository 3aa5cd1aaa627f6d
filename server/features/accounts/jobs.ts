import { z } from 'zod';
import type { Deps } from '../../deps.ts';
import { hashToken, newToken } from '../../http/tokens.ts';
import { defineJob, defineSchedule } from '../../jobs/define-job.ts';
import { toAccountKey } from './account-keys.ts';
import { findUserByEmail, isAvatarUsed } from './queries.ts';
import { writeResetMessage } from './reset-message.ts';
import { deleteResetsOf, insertReset } from './reset-queries.ts';
import { sweepExpired } from './sweep.ts';

const MINUTE = 60_000;
const RESET_MINUTES = 60;

export const sendPasswordReset = defineJob({
  name: 'send-password-reset',
  payload: z.object({ email: z.string() }),
  maxAttempts: 5,
  run: async (deps: Deps, { email }) => {
    const { config, database, clock, mail, site } = deps;
    const user = await findUserByEmail(database.db, toAccountKey(email));
    if (!user || (user.is_demo && !config.demo)) return;
    // Made here and not with the request, so that the token is never stored readable anywhere.
    const token = newToken();
    const now = clock.now();
    await database.db.transaction().execute(async (tx) => {
      await deleteResetsOf(tx, user.id);
      const expiresAt = now + RESET_MINUTES * MINUTE;
      await insertReset(tx, { tokenHash: hashToken(token), userId: user.id, now, expiresAt });
    });
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

/** Runs after a picture was replaced, and some time after each upload in case that never finished. */
export const dropUnusedAvatar = defineJob({
  name: 'drop-unused-avatar',
  payload: z.object({ key: z.string() }),
  run: async ({ database, storage }: Deps, { key }) => {
    if (!(await isAvatarUsed(database.db, key))) await storage.delete(key);
  },
});

export const sweep = defineSchedule({
  name: 'sweep-expired',
  everyMs: 60 * MINUTE,
  run: async ({ database, clock }: Deps, { signal }) =>
    sweepExpired(database.db, clock.now(), signal),
});
