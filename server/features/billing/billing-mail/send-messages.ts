import { z } from 'zod';
import { DAY } from '#contract/rules/time.ts';
import type { Db, Tx } from '../../../db/connect.ts';
import type { Deps } from '../../../deps.ts';
import { countAttemptsWithin } from '../../../jobs/backoff.ts';
import { defineJob } from '../../../jobs/define-job.ts';
import { holdJob } from '../../../jobs/held-jobs.ts';
import { enqueue } from '../../../jobs/queue.ts';
import { allowSendingAgain, planMessage, sendOnce } from '../../../jobs/send-once.ts';
import { formatNoteNumber } from '../ledger/invoices.ts';
import { BillingMessage, type MessageContext } from './billing-message.ts';
import { findPaidThroughOf, findRunningSubscription, listLedgerEntries } from '../queries.ts';
import { planMessages, type PlannedMessage } from './plan-messages.ts';

/** The newest credit note of the payment, and whether its member withdrew from it. */
async function readRefund(
  db: Db,
  { provider, chargeId }: { provider: string; chargeId: string },
): Promise<MessageContext['refund']> {
  const note = await db
    .selectFrom('credit_notes')
    .innerJoin('invoices', 'invoices.id', 'credit_notes.invoice_id')
    .select(['credit_notes.kind', 'credit_notes.number'])
    .where('invoices.provider', '=', provider)
    .where('invoices.charge_id', '=', chargeId)
    .where('credit_notes.kind', '=', 'credit')
    .orderBy('credit_notes.number', 'desc')
    .limit(1)
    .executeTakeFirst();
  const withdrawal = await db
    .selectFrom('refund_requests')
    .select('key')
    .where('provider', '=', provider)
    .where('charge_id', '=', chargeId)
    .where('why', '=', 'withdrawal')
    .executeTakeFirst();
  return {
    creditNote: note ? formatNoteNumber(note) : null,
    isWithdrawal: withdrawal !== undefined,
  };
}

/** About money that has moved. A second one reads like a second payment, so it is never sent by itself. */
const SENT_ONCE: ReadonlySet<BillingMessage['kind']> = new Set([
  'receipt',
  'refund',
  'refused',
  'refund-failed',
]);

/** What changes money in the future must be said, whether or not the address was confirmed. */
const ALWAYS_SENT: ReadonlySet<BillingMessage['kind']> = new Set([
  'price-change',
  'price-change-cancelled',
  'year-ending',
  'refund-failed',
  'came-over',
]);

export const sendBillingMessage = defineJob({
  name: 'send-billing-message',
  lane: 'mail',
  payload: z.object({ userId: z.string(), key: z.string(), message: BillingMessage }),
  maxAttempts: countAttemptsWithin(2 * DAY),
  run: async ({ database, clock, config, site, mail }: Deps, { userId, key, message }, job) => {
    const { db } = database;
    const user = await db
      .selectFrom('users')
      .select(['email', 'email_verified_at', 'username', 'is_demo'])
      .where('id', '=', userId)
      .executeTakeFirst();
    if (!user) return;
    // A stranger must not read what someone paid.
    if (user.email_verified_at === null && !ALWAYS_SENT.has(message.kind))
      return holdJob(db, job, { userId, now: clock.now() });
    const invoice =
      message.kind === 'receipt'
        ? await db
            .selectFrom('invoices')
            .selectAll()
            .where('provider', '=', message.provider)
            .where('charge_id', '=', message.chargeId)
            .executeTakeFirst()
        : undefined;
    const refund = message.kind === 'refund' ? await readRefund(db, message) : null;
    const { buildBillingMail } = await import('./build-billing-mail.ts');
    const built = buildBillingMail(message, {
      to: user.email,
      username: user.username,
      siteName: config.siteName,
      origin: site.origin,
      timeZone: config.timeZone,
      invoice: invoice ?? null,
      refund,
    });
    if (!built) return;
    if (SENT_ONCE.has(message.kind))
      return sendOnce({ database, clock, mail }, { ...built, key }, job);
    await mail.send({ ...built, key });
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
  userId: string,
  messages: readonly PlannedMessage[],
  now: number,
) {
  for (const { key: name, message } of messages) {
    const key = `${userId}:${name}`;
    const isNew = await planMessage(tx, { key, userId }, now);
    if (isNew) await enqueue(tx, sendBillingMessage, { userId, key, message }, { now });
  }
}

/** Plans the mails about what `work` adds to the ledger. The caller has locked the account. */
export async function tellChanges(
  tx: Tx,
  { clock, payments }: Deps,
  userId: string,
  work: () => Promise<unknown>,
): Promise<void> {
  const now = clock.now();
  const before = await listLedgerEntries(tx, userId);
  await work();
  const ledger = await listLedgerEntries(tx, userId);
  const messages = planMessages({
    newEntries: ledger.slice(before.length),
    ledger,
    subscription: await findRunningSubscription(tx, userId),
    paidThrough: await findPaidThroughOf(tx, userId),
    now,
    calendar: payments.calendar,
  });
  await enqueueMessages(tx, userId, messages, now);
}
