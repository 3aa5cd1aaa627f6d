import { createHash } from 'node:crypto';
import type { z } from 'zod';
import type { BoughtGift, NewGift } from '#contract/paying/pay-once.ts';
import { dayOf } from '#contract/rules/days.ts';
import { CURRENCY, describeMonths } from '#contract/rules/plans.ts';
import { DAY } from '#contract/rules/time.ts';
import { parseZoned } from '#contract/rules/zoned-time.ts';
import type { Tx } from '../../../db/connect.ts';
import type { Deps } from '../../../deps.ts';
import { AppError } from '../../../http/route/app-error.ts';
import type { Viewer } from '../../../http/route/guards.ts';
import { hashToken } from '../../../http/route/tokens.ts';
import { newId } from '../../../db/ids.ts';
import { PaymentsError } from '../../../ports/payments/payments.ts';
import { shownStates } from '../checkout/checkout.ts';
import { insertPage, isReusable, newReference, openPage } from '../checkout/open-page.ts';
import { settlePayment } from '../checkout/settle-payment.ts';
import { findPayment, isUndecided, type PaymentRow } from '../queries.ts';
import { boughtBy, createLink, readGiftUrl, type GiftRow } from './redeem-gift.ts';
import { enqueueGiftMail } from './gift-mail.ts';
import { getPrice } from './pay-once.ts';

/** The mail goes out at this time of its day. */
const MORNING = '08:00';
const MAX_AHEAD_MS = 366 * DAY;

const refuseDay = (message: string): never => {
  throw new AppError('validation_failed', { message, fields: { day: message } });
};

function planSending({ config, clock }: Deps, day: string): number {
  const now = clock.now();
  const { timeZone } = config;
  if (day < dayOf(now, timeZone)) refuseDay('That day is over. Choose today or a later one.');
  if (day > dayOf(now + MAX_AHEAD_MS, timeZone)) refuseDay('Choose a day within a year.');
  return parseZoned(`${day}T${MORNING}`, timeZone) ?? now;
}

type Purchase = z.output<typeof NewGift> & { email: string; buyerId: string | null };

const toOpenKey = (purchase: Purchase): string =>
  createHash('sha256').update(JSON.stringify(purchase)).digest('hex');

/** Two open tabs share one page, so that it is paid only once. */
async function findOpen(tx: Tx, deps: Deps, key: string): Promise<PaymentRow | null> {
  const gift = await tx
    .selectFrom('gifts')
    .select(['id', 'reference'])
    .where('open_key', '=', key)
    .executeTakeFirst();
  const row = gift && (await findPayment(tx, gift.reference ?? ''));
  if (row && isReusable(deps, row)) return row;
  if (gift)
    await tx.updateTable('gifts').set({ open_key: null }).where('id', '=', gift.id).execute();
  return null;
}

async function writePage(deps: Deps, purchase: Purchase, isNew: boolean): Promise<PaymentRow> {
  const { database, clock, payments } = deps;
  const now = clock.now();
  const { months, amount, from, words, recipient, email, buyerId } = purchase;
  const link = await createLink(deps);
  const open_key = isNew ? null : toOpenKey(purchase);
  const reference = newReference();
  const send_at = recipient && planSending(deps, recipient.day);
  return database.db.transaction().execute(async (tx) => {
    const open = open_key !== null && (await findOpen(tx, deps, open_key));
    if (open) return open;
    const page = await insertPage(tx, deps, {
      reference,
      user_id: null,
      kind: 'gift',
      months,
      amount,
      check_at: now,
    });
    const inserted = await tx
      .insertInto('gifts')
      .values({
        id: newId(now),
        token_hash: hashToken(link.token),
        token: link.stored,
        months,
        from_name: from,
        words,
        created_by: boughtBy(payments.name),
        created_at: now,
        redeemed_by: null,
        redeemed_at: null,
        reference,
        provider: payments.name,
        buyer_id: buyerId,
        buyer_email: email,
        recipient_email: recipient?.email ?? null,
        send_on: recipient?.day ?? null,
        send_at,
        open_key,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst();
    if (inserted) return page;
    // Another tab was faster.
    await tx.deleteFrom('payments').where('reference', '=', reference).execute();
    return (await findOpen(tx, deps, open_key ?? '')) ?? page;
  });
}

/** Anybody can buy one: without an account, an address for the receipt is enough. */
export async function buyGift(
  deps: Deps,
  viewer: Viewer | null,
  input: z.output<typeof NewGift>,
): Promise<{ url: string; reference: string }> {
  const email = viewer?.user.email ?? input.email;
  if (email === undefined) {
    const message = 'Enter your e-mail address: the receipt goes there.';
    throw new AppError('validation_failed', { message, fields: { email: message } });
  }
  await getPrice(deps, input.months, input.amount);
  const purchase = { ...input, email, buyerId: viewer?.user.id ?? null };
  const write = (isNew: boolean) => writePage(deps, purchase, isNew);
  return openPage(deps, email, write, ({ reference }) => ({
    description: `${describeMonths(input.months)} of ${deps.config.siteName} Premium, a gift`,
    successPath: `/give/${reference}`,
    cancelPath: `/give/${reference}`,
  }));
}

async function readGift({ database }: Deps, reference: string) {
  const gift = await database.db
    .selectFrom('gifts')
    .selectAll()
    .where('reference', '=', reference)
    .executeTakeFirst();
  const payment = gift && (await findPayment(database.db, reference));
  if (!gift || !payment) throw new AppError('not_found');
  return { gift, payment };
}

async function presentGift(deps: Deps, gift: GiftRow, payment: PaymentRow): Promise<BoughtGift> {
  const isVoid = gift.void_at !== null;
  const shown = shownStates[payment.state];
  const state = shown === 'refused' ? 'returned' : shown;
  return {
    state: isVoid ? 'void' : state,
    months: gift.months,
    amount: payment.amount,
    currency: CURRENCY,
    from: gift.from_name,
    words: gift.words ?? '',
    email: gift.buyer_email,
    recipient:
      gift.recipient_email === null
        ? null
        : { email: gift.recipient_email, day: gift.send_on ?? '', sentAt: gift.sent_at },
    url: gift.paid_at === null || isVoid ? null : await readGiftUrl(deps, gift),
    isRedeemed: gift.redeemed_at !== null,
    at: gift.created_at,
  };
}

/** For a buyer back from the payment page: asks the provider instead of waiting for its webhook. */
export async function getBoughtGift(deps: Deps, reference: string): Promise<BoughtGift> {
  const before = await readGift(deps, reference);
  if (isUndecided(before.payment))
    await settlePayment(deps, reference).catch((error: unknown) => {
      // The page still shows what is known.
      if (!(error instanceof PaymentsError)) throw error;
      deps.log.warn({ err: error }, 'The payment provider failed; a gift’s page waits.');
    });
  const { gift, payment } = await readGift(deps, reference);
  return presentGift(deps, gift, payment);
}

/** To the recipient, or to the buyer while the recipient’s day hasn’t come. */
export async function sendGiftAgain(deps: Deps, reference: string): Promise<BoughtGift> {
  const { gift, payment } = await readGift(deps, reference);
  if (gift.paid_at === null) throw new AppError('not_found');
  if (gift.void_at !== null) throw new AppError('gift_void');
  if (gift.redeemed_at !== null) throw new AppError('gift_redeemed');
  const now = deps.clock.now();
  await enqueueGiftMail(
    deps.database.db,
    { giftId: gift.id, kind: gift.sent_at === null ? 'bought' : 'gift', key: `again:${now}` },
    now,
  );
  deps.jobs.wake();
  return presentGift(deps, gift, payment);
}

export async function findGiftInvoiceId(deps: Deps, reference: string): Promise<string> {
  const { payment } = await readGift(deps, reference);
  const invoice = await deps.database.db
    .selectFrom('invoices')
    .select('id')
    .where('provider', '=', payment.provider)
    .where('charge_id', '=', payment.charge_id ?? '')
    .executeTakeFirst();
  if (!invoice) throw new AppError('not_found');
  return invoice.id;
}
