import { z } from 'zod';
import { DAY } from '#contract/rules/time.ts';
import type { Tx } from '../../../db/connect.ts';
import type { Deps } from '../../../deps.ts';
import { countAttemptsWithin } from '../../../jobs/backoff.ts';
import { defineJob } from '../../../jobs/define-job.ts';
import { holdJob } from '../../../jobs/held-jobs.ts';
import { enqueue } from '../../../jobs/queue.ts';
import { allowSendingAgain, planMessage, sendOnce } from '../../../jobs/send-once.ts';
import { AddressRefused } from '../../../ports/mail/refused-addresses.ts';
import { readMailSite } from '../../mails/service.ts';
import { selectInvoicesOf } from '../ledger/invoices.ts';
import { findPaidThroughOf, findRunningSubscription, listLedgerEntries } from '../queries.ts';
import { renderMail } from './message-text.ts';
import { writePremiumWelcome } from './premium-welcome.ts';
import { planMessages } from './plan-messages.ts';
import type { MessageKind, PlannedMessage } from './write-message.ts';

/** About money that has moved. A second one reads like a second payment, so it is never sent by itself. */
const SENT_ONCE: ReadonlySet<string> = new Set<MessageKind>([
  'receipt',
  'refund',
  'refused',
  'refund-failed',
]);

/** What changes money in the future, or what it buys, must be said, whether or not the address was confirmed. */
const ALWAYS_SENT: ReadonlySet<string> = new Set<MessageKind>([
  'price-change',
  'price-change-cancelled',
  'files-change',
  'year-ending',
  'refund-failed',
  'came-over',
]);

export const sendBillingMessage = defineJob({
  name: 'send-billing-message',
  lane: 'mail',
  payload: z.object({
    userId: z.string(),
    key: z.string(),
    kind: z.string(),
    text: z.object({
      subject: z.string(),
      lines: z.array(z.string()),
      facts: z.array(z.tuple([z.string(), z.string()])).optional(),
      link: z.object({ label: z.string(), path: z.string() }),
    }),
  }),
  maxAttempts: countAttemptsWithin(2 * DAY),
  run: async (deps: Deps, { userId, key, kind, text: { facts, ...text } }, job) => {
    const { database, clock, mail } = deps;
    const { db } = database;
    const user = await db
      .selectFrom('users')
      .select(['email', 'email_verified_at', 'username'])
      .where('id', '=', userId)
      .executeTakeFirst();
    if (!user) return;
    // A stranger must not read what someone paid.
    if (user.email_verified_at === null && !ALWAYS_SENT.has(kind))
      return holdJob(db, job, { userId, now: clock.now() });
    const recipient = { to: user.email, username: user.username };
    const site = await readMailSite(deps);
    const words = kind === 'welcome' ? await writePremiumWelcome(deps, site) : [];
    const lines = [...words, ...text.lines];
    const built = renderMail(site, { ...text, lines, ...(facts && { facts }) }, recipient);
    try {
      if (SENT_ONCE.has(kind))
        return await sendOnce({ database, clock, mail }, { ...built, key }, job);
      await mail.send({ ...built, key });
    } catch (error) {
      if (!(error instanceof AddressRefused)) throw error;
      // It goes to the member's next address, or to this one once it works again.
      return holdJob(db, job, { userId, now: clock.now() });
    }
    await job.finish(async (tx) => {
      const sent_at = clock.now();
      await tx.updateTable('sent_messages').set({ sent_at }).where('key', '=', key).execute();
    });
  },
  // An administrator wants it sent again.
  onRetry: (tx, { key }) => allowSendingAgain(tx, key),
});

/** In the transaction of the entries they report; a key that was used before sends nothing. */
export async function enqueueMessages(
  tx: Tx,
  { clock, config }: Deps,
  userId: string,
  messages: readonly PlannedMessage[],
) {
  if (messages.length === 0) return;
  const now = clock.now();
  const { writeMessage } = await import('./write-message.ts');
  for (const { key: name, message } of messages) {
    const key = `${userId}:${name}`;
    const isNew = await planMessage(tx, { key, userId }, now);
    const { kind } = message;
    const text = writeMessage(message, config);
    if (isNew) await enqueue(tx, sendBillingMessage, { userId, key, kind, text }, { now });
  }
}

/** Plans the mails about what `work` adds to the ledger. The caller has locked the account. */
export async function tellChanges(
  tx: Tx,
  deps: Deps,
  userId: string,
  work: () => Promise<unknown>,
): Promise<void> {
  const before = await listLedgerEntries(tx, userId);
  await work();
  const ledger = await listLedgerEntries(tx, userId);
  const messages = planMessages({
    newEntries: ledger.slice(before.length),
    ledger,
    subscription: await findRunningSubscription(tx, userId),
    paidThrough: await findPaidThroughOf(tx, userId),
    invoices: await selectInvoicesOf(tx, userId).execute(),
    now: deps.clock.now(),
    calendar: deps.payments.calendar,
  });
  await enqueueMessages(tx, deps, userId, messages);
}
