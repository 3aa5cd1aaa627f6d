import { z } from 'zod';
import { DAY } from '#contract/rules/time.ts';
import type { Tx } from '../../../db/connect.ts';
import type { Deps } from '../../../deps.ts';
import { countAttemptsWithin } from '../../../jobs/backoff.ts';
import { defineJob } from '../../../jobs/define-job.ts';
import { enqueue } from '../../../jobs/queue.ts';
import { BillingMessage } from './billing-message.ts';
import { buildBillingMail } from './build-billing-mail.ts';
import type { PlannedMessage } from './plan-messages.ts';

export const sendBillingMessage = defineJob({
  name: 'send-billing-message',
  payload: z.object({ userId: z.string(), key: z.string(), message: BillingMessage }),
  maxAttempts: countAttemptsWithin(2 * DAY),
  run: async ({ database, config, site, mail }: Deps, { userId, key, message }) => {
    const { db } = database;
    const user = await db
      .selectFrom('users')
      .select(['email', 'username', 'is_demo'])
      .where('id', '=', userId)
      .executeTakeFirst();
    if (!user) return;
    const invoice =
      message.kind === 'receipt'
        ? await db
            .selectFrom('invoices')
            .selectAll()
            .where('provider', '=', message.provider)
            .where('charge_id', '=', message.chargeId)
            .executeTakeFirst()
        : undefined;
    const built = buildBillingMail(message, {
      to: user.email,
      username: user.username,
      siteName: config.siteName,
      origin: site.origin,
      timeZone: config.timeZone,
      invoice: invoice ?? null,
    });
    if (built) await mail.send({ ...built, key });
  },
});

/** In the transaction of the entries they report; a key that was used before sends nothing. */
export async function enqueueMessages(
  tx: Tx,
  userId: string,
  messages: readonly PlannedMessage[],
  now: number,
) {
  for (const { key: name, message } of messages) {
    const key = `${userId}:${name}`;
    const row = await tx
      .insertInto('sent_messages')
      .values({ key, user_id: userId, created_at: now })
      .onConflict((conflict) => conflict.doNothing())
      .returning('key')
      .executeTakeFirst();
    if (row) await enqueue(tx, sendBillingMessage, { userId, key, message }, { now });
  }
}

/** To every administrator who can log in. */
export async function enqueueOperatorMessages(
  tx: Tx,
  messages: readonly PlannedMessage[],
  now: number,
) {
  if (messages.length === 0) return;
  const administrators = await tx
    .selectFrom('users')
    .leftJoin('disabled_accounts', 'disabled_accounts.user_id', 'users.id')
    .select('users.id')
    .where('is_admin', '=', 1)
    .where('disabled_accounts.user_id', 'is', null)
    .execute();
  for (const { id } of administrators) await enqueueMessages(tx, id, messages, now);
}
