import { formatMoney } from '#contract/rules/format.ts';
import type { Tx } from '../../../db/connect.ts';
import type { Deps } from '../../../deps.ts';
import type { PaymentState } from '../../../ports/payments/payments.ts';
import { openIssue, otherAmountKey } from '../../payment-issues/service.ts';
import { enqueueMessages } from '../billing-mail/send-messages.ts';
import { updatePayment } from '../checkout/open-page.ts';
import type { BookingContext } from '../ledger/booking.ts';
import { appendEntry, buildLedgerEntry, toLedgerContext } from '../ledger/ledger-entries.ts';
import { findPeriods } from '../ledger/paid-through.ts';
import { addGiftInvoice } from '../ledger/write-invoices.ts';
import { findPayment, listLedgerEntries, lockAccount, type PaymentRow } from '../queries.ts';
import { moveNextPaymentBack } from '../subscriptions/change-state.ts';
import { enqueueGiftMail } from './gift-mail.ts';
import type { GiftRow } from './redeem-gift.ts';

type Arrived = { row: PaymentRow; gift: GiftRow; state: PaymentState };

const updateGift = async (tx: Tx, { id }: GiftRow, values: Partial<GiftRow>): Promise<void> => {
  await tx.updateTable('gifts').set(values).where('id', '=', id).execute();
};

/** Until the end of the transaction no one else changes it. Accounts are locked first, as everywhere. */
async function lockGift(tx: Tx, reference: string): Promise<GiftRow | undefined> {
  const claimed = await tx
    .selectFrom('gifts')
    .select('redeemed_by')
    .where('reference', '=', reference)
    .where('redeemed_by', 'is not', null)
    .executeTakeFirst();
  if (claimed?.redeemed_by) await lockAccount(tx, claimed.redeemed_by);
  return tx
    .updateTable('gifts')
    .set({ reference })
    .where('reference', '=', reference)
    .returningAll()
    .executeTakeFirst();
}

/** It isn’t what the gift costs: all of it goes back. */
async function refuse(tx: Tx, { row, gift, state }: Arrived, { now }: BookingContext) {
  const [paid, price] = [state.amount, row.amount].map((cents) =>
    formatMoney(cents, state.currency),
  );
  const reason = `${paid} was charged for a gift; expected ${price}. It is refunded in full.`;
  const decided = { state: 'refused' as const, failure: reason, check_at: null };
  await updatePayment(tx, row, { ...decided, charge_id: state.chargeId }, now);
  await updateGift(tx, gift, { open_key: null });
  const { provider, reference } = row;
  const facts = { provider, chargeId: state.chargeId, reference, reason };
  const money = { amount: state.amount, currency: state.currency };
  const key = otherAmountKey(provider, state.chargeId ?? reference);
  await openIssue(tx, { key, kind: 'other-amount', ...facts, ...money }, now);
  const mail = { giftId: gift.id, kind: 'returned' as const, key: 'once', amount: state.amount };
  await enqueueGiftMail(tx, mail, now);
}

/** Its link works from now on. The buyer gets a receipt, the recipient a mail on its morning. */
async function accept(tx: Tx, { row, gift, state }: Arrived, context: BookingContext) {
  const { now } = context;
  const { chargeId: charge_id, channel } = state;
  const paid = { state: 'paid' as const, failure: null, check_at: null };
  await updatePayment(tx, row, { ...paid, charge_id, channel }, now);
  await updateGift(tx, gift, { paid_at: now, open_key: null });
  await addGiftInvoice(tx, row, gift, state, context);
  await enqueueGiftMail(tx, { giftId: gift.id, kind: 'bought', key: 'first' }, now);
}

/**
 * Money that went back voids the link. If someone has claimed the gift, what is left of it ends, but
 * not before a bank has decided.
 */
async function followMoney(tx: Tx, deps: Deps, { gift, state }: Arrived) {
  const now = deps.clock.now();
  const isRefunded = state.refunded >= state.amount;
  const isClaimed = gift.redeemed_at !== null;
  const isLost = isRefunded || state.dispute?.state === 'lost';
  const isVoid = isClaimed ? isLost : isLost || state.dispute !== null;
  if (isVoid === (gift.void_at !== null)) return;
  // Time that has ended stays so; the operator can give it back.
  if (!isVoid && isClaimed) return;
  await updateGift(tx, gift, { void_at: isVoid ? now : null });
  if (isClaimed) await endGift(tx, deps, gift);
}

/** What a payment for a gift does to it. False if there is none to pay for any more. */
export async function settleGift(
  tx: Tx,
  deps: Deps,
  { reference }: PaymentRow,
  state: PaymentState,
): Promise<boolean> {
  const gift = await lockGift(tx, reference);
  const row = await findPayment(tx, reference);
  // Its buyer deleted their account before it arrived, or it was given up long ago.
  if (!row || !gift || (gift.paid_at === null && gift.buyer_email === null)) return false;
  const arrived = { row, gift, state };
  if (row.state !== 'paid' && row.state !== 'refused') {
    const isExact = state.amount === row.amount && state.currency === row.currency;
    await (isExact ? accept : refuse)(tx, arrived, toLedgerContext(deps));
  }
  await followMoney(tx, deps, arrived);
  return true;
}

/** A claimed gift was refunded: the days that are left of it end, and what else was paid for stays. */
async function endGift(tx: Tx, deps: Deps, gift: GiftRow): Promise<void> {
  const { redeemed_by: userId, reference, provider } = gift;
  if (userId === null || reference === null) return;
  const context = toLedgerContext(deps);
  const { now, calendar } = context;
  await lockAccount(tx, userId);
  const ledger = await listLedgerEntries(tx, userId);
  const detail = JSON.stringify({ reference });
  const period = findPeriods(ledger, calendar).find(
    ({ entry }) => entry.kind === 'gift' && entry.detail === detail,
  );
  if (!period) return;
  const day = calendar.addDays(now, 1) - now;
  const days = Math.floor((period.to - Math.max(now, period.from)) / day);
  if (days <= 0) return;
  const reason = `A gift was refunded: ${days} days that were left of it end.`;
  // Another detail, so that it isn't taken for the gift itself.
  const facts = { days: -days, provider, actor: 'system' };
  const entry = buildLedgerEntry('gift', now, reason, facts);
  const { paidThrough } = await appendEntry(tx, userId, entry, context);
  await moveNextPaymentBack(tx, userId, paidThrough, context);
  const message = { kind: 'gift-ended' as const, until: paidThrough ?? now };
  await enqueueMessages(tx, deps, userId, [{ key: `gift-ended:${gift.id}`, message }]);
}
