import type { Db, Tx } from '../db/connect.ts';
import { UncertainSend, type Mail, type MailMessage } from '../ports/mail/mail.ts';
import { NeedsDecision, type RunningJob } from './define-job.ts';

const UNCERTAIN =
  'Nobody knows whether this e-mail arrived: the server stopped, or the mail server fell silent, at the moment it was handed over. Ask the member or look in the mail server’s log before you send it again.';

/** In the transaction that enqueues the job: false if the message was planned before. */
export async function planMessage(
  tx: Db,
  { key, userId }: { key: string; userId: string },
  now: number,
): Promise<boolean> {
  const row = await tx
    .insertInto('sent_messages')
    .values({ key, user_id: userId, created_at: now, sending_at: null, sent_at: null })
    .onConflict((conflict) => conflict.doNothing())
    .returning('key')
    .executeTakeFirst();
  return row !== undefined;
}

const setSending = (db: Db, key: string, sending_at: number | null) =>
  db.updateTable('sent_messages').set({ sending_at }).where('key', '=', key).execute();

/** An administrator wants a message sent again whose arrival is uncertain. */
export const allowSendingAgain = async (tx: Db, key: string): Promise<void> =>
  void (await setSending(tx, key, null));

/** When something else says for good that it was sent. */
export const forgetMessage = async (tx: Tx, key: string): Promise<void> =>
  void (await tx.deleteFrom('sent_messages').where('key', '=', key).execute());

type SendOnceOptions = {
  /** In the transaction that notes that it was sent. */
  onSent?: (tx: Tx) => Promise<void>;
};

type Sender = { database: { db: Db }; clock: { now: () => number }; mail: Mail };

/**
 * Sends a planned message at most once. Its row says so just before the mail server gets the last line:
 * with that, and without a note that it was accepted, an administrator decides.
 */
export async function sendOnce(
  { database: { db }, clock, mail }: Sender,
  message: MailMessage & { key: string },
  job: RunningJob,
  { onSent }: SendOnceOptions = {},
): Promise<void> {
  const { key } = message;
  const before = await db
    .selectFrom('sent_messages')
    .select(['sending_at', 'sent_at'])
    .where('key', '=', key)
    .executeTakeFirst();
  if (before?.sent_at) return;
  if (before?.sending_at) throw new NeedsDecision(UNCERTAIN);
  let isNoted = false;
  const noteSending = async () => {
    const noted = await db
      .updateTable('sent_messages')
      .set({ sending_at: clock.now() })
      .where('key', '=', key)
      .where('sending_at', 'is', null)
      .returning('key')
      .executeTakeFirst();
    if (!noted) throw new Error('Another worker is sending this message.');
    isNoted = true;
  };
  try {
    await mail.send(message, { beforeHandOver: noteSending });
  } catch (error) {
    if (error instanceof UncertainSend) throw new NeedsDecision(UNCERTAIN, { cause: error });
    // It was refused, so it may be sent again.
    if (isNoted) await setSending(db, key, null);
    throw error;
  }
  await job.finish(async (tx) => {
    await tx
      .updateTable('sent_messages')
      .set({ sent_at: clock.now() })
      .where('key', '=', key)
      .execute();
    await onSent?.(tx);
  });
}
