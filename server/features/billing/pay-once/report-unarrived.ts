import type { Tx } from '../../../db/connect.ts';
import { enqueueMessages } from '../billing-mail/send-messages.ts';
import type { PaymentRow } from '../queries.ts';
import { enqueueGiftMail } from './gift-mail.ts';

/** A bank had it, and then didn't make it: whoever closed the page hears of it by mail. */
export async function reportUnarrived(tx: Tx, row: PaymentRow, now: number): Promise<void> {
  const { reference, user_id: userId, amount, currency } = row;
  const key = `unarrived:${reference}`;
  const message = { kind: 'unarrived' as const, amount, currency };
  if (userId !== null) return enqueueMessages(tx, userId, [{ key, message }], now);
  const gift = await tx
    .selectFrom('gifts')
    .select('id')
    .where('reference', '=', reference)
    .executeTakeFirst();
  if (gift) await enqueueGiftMail(tx, { giftId: gift.id, kind: 'failed', key: 'once' }, now);
}
