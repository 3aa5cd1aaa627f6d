import { z } from 'zod';
import { formatDate, formatMoney } from '#contract/rules/format.ts';
import { describeMonths } from '#contract/rules/plans.ts';
import { DAY, MINUTE } from '#contract/rules/time.ts';
import type { Db, Tx } from '../../../db/connect.ts';
import type { Deps } from '../../../deps.ts';
import { countAttemptsWithin } from '../../../jobs/backoff.ts';
import { defineJob, defineSchedule } from '../../../jobs/define-job.ts';
import { enqueue } from '../../../jobs/queue.ts';
import { readMailSite } from '../../mails/service.ts';
import { renderMail, type MessageText } from '../billing-mail/message-text.ts';
import { listInvoiceFacts } from '../billing-mail/payment-texts.ts';
import { describeHearing } from '../billing-mail/premium-welcome.ts';
import { enqueueMessages } from '../billing-mail/send-messages.ts';
import { findPayment, type InvoiceRow, type PaymentRow } from '../queries.ts';
import { readGiftUrl, type GiftRow } from './redeem-gift.ts';

/** `gift` goes to the recipient, the others to the buyer. */
const GiftMailKind = z.enum(['bought', 'gift', 'failed', 'returned', 'refunded', 'refund-failed']);
type GiftMailKind = z.infer<typeof GiftMailKind>;

/** No names or addresses: the job reads them. */
const GiftMail = z.object({
  giftId: z.string(),
  kind: GiftMailKind,
  /** What makes it different from others of its kind. */
  key: z.string(),
  /** Cents that went back. */
  amount: z.int().optional(),
});
type GiftMail = z.infer<typeof GiftMail>;

export type GiftMailFacts = {
  gift: Pick<
    GiftRow,
    'months' | 'from_name' | 'words' | 'recipient_email' | 'send_on' | 'created_at' | 'void_at'
  >;
  payment: Pick<PaymentRow, 'amount' | 'currency' | 'reference'>;
  invoice: InvoiceRow | undefined;
  url: string;
  amount: number;
  /** How subscribers hear mixes now. */
  hearing: string;
  siteName: string;
  timeZone: string;
};

const describeSending = ({ gift, timeZone, url }: GiftMailFacts): string[] =>
  gift.recipient_email === null
    ? [`Give them this link: ${url}`, 'Or print the card: the button below opens it.']
    : [
        `We’ll send it to ${gift.recipient_email} on ${formatDate(gift.send_on ?? gift.created_at, timeZone)}. You can also give them the link yourself: ${url}`,
      ];

const listFacts = ({ payment, invoice, timeZone }: GiftMailFacts): [string, string][] => [
  ['Amount', formatMoney(payment.amount, payment.currency)],
  ...(invoice ? listInvoiceFacts(invoice) : []),
  ...(invoice
    ? [['Invoice date', formatDate(invoice.at, timeZone)] satisfies [string, string]]
    : []),
];

const toPage = ({ payment }: GiftMailFacts) => ({
  label: 'Open your gift and its invoice',
  path: `/give/${payment.reference}`,
});

export const giftTexts: Record<GiftMailKind, (facts: GiftMailFacts) => MessageText> = {
  bought: (facts) => {
    const { gift, payment, siteName } = facts;
    const paid = formatMoney(payment.amount, payment.currency);
    return {
      subject: `Your gift of ${siteName} Premium: ${describeMonths(gift.months)}`,
      lines: [
        `Thanks! We received ${paid} for ${describeMonths(gift.months)} of ${siteName} Premium as a gift.`,
        ...describeSending(facts),
        'Nothing renews. If they already have Premium, your gift starts when their time ends.',
      ],
      facts: listFacts(facts),
      link: toPage(facts),
    };
  },
  gift: ({ gift, hearing, siteName, url }) => ({
    subject: `${gift.from_name} gave you ${describeMonths(gift.months)} of ${siteName} Premium`,
    lines: [
      `${gift.from_name} gave you ${describeMonths(gift.months)} of ${siteName} Premium: every mix ${hearing}.`,
      'It’s paid for, and nothing renews. If you already have Premium, it starts when your time ends.',
    ],
    quote: (gift.words ?? '').split('\n').filter((line) => line.trim() !== ''),
    link: { label: 'Claim your gift', path: new URL(url).pathname },
  }),
  failed: (facts) => ({
    subject: `Your payment for a ${facts.siteName} gift didn’t arrive`,
    lines: [
      `Your bank didn’t make the payment of ${formatMoney(facts.payment.amount, facts.payment.currency)}, so there is no gift yet and nothing was sent.`,
      'You can buy it again, in another way if you like.',
    ],
    link: { label: 'Give Premium', path: '/give' },
  }),
  returned: (facts) => ({
    subject: `Your payment for a ${facts.siteName} gift goes back`,
    lines: [
      `We received ${formatMoney(facts.amount, facts.payment.currency)}, but the gift costs ${formatMoney(facts.payment.amount, facts.payment.currency)}. All of it goes back to you, and there is no gift.`,
      'Your bank may take up to ten working days to show it.',
    ],
    link: { label: 'Give Premium', path: '/give' },
  }),
  refunded: (facts) => ({
    subject: `Your refund from ${facts.siteName}: ${formatMoney(facts.amount, facts.payment.currency)}`,
    lines: [
      `We’ve refunded ${formatMoney(facts.amount, facts.payment.currency)} of your gift.`,
      ...(facts.gift.void_at === null ? [] : ['Its link no longer works.']),
      'Your bank may take up to ten working days to show it.',
    ],
    link: toPage(facts),
  }),
  'refund-failed': (facts) => ({
    subject: `Your refund from ${facts.siteName} didn’t reach you`,
    lines: [
      `Your bank sent back our refund of ${formatMoney(facts.amount, facts.payment.currency)}. We know about it and will ask for it again.`,
      'If your account was closed, write to us, so that we can pay it another way.',
    ],
    link: toPage(facts),
  }),
};

/** Whether there is still something to say, and to whom. */
const findAddress = (kind: GiftMailKind, gift: GiftRow): string | null => {
  if (kind !== 'gift') return gift.buyer_email;
  return gift.void_at === null && gift.redeemed_at === null ? gift.recipient_email : null;
};

async function readFacts(deps: Deps, { giftId, amount }: GiftMail) {
  const { db } = deps.database;
  const gift = await db.selectFrom('gifts').selectAll().where('id', '=', giftId).executeTakeFirst();
  const payment = gift && (await findPayment(db, gift.reference ?? ''));
  if (!gift || !payment) return null;
  const invoice = await db
    .selectFrom('invoices')
    .selectAll()
    .where('provider', '=', payment.provider)
    .where('charge_id', '=', payment.charge_id ?? '')
    .executeTakeFirst();
  const { siteName, timeZone } = deps.config;
  const url = await readGiftUrl(deps, gift);
  const hearing = await describeHearing(deps);
  return {
    gift,
    payment,
    invoice,
    url,
    amount: amount ?? payment.amount,
    hearing,
    siteName,
    timeZone,
  };
}

export const sendGiftMail = defineJob({
  name: 'send-gift-mail',
  lane: 'mail',
  payload: GiftMail,
  maxAttempts: countAttemptsWithin(2 * DAY),
  run: async (deps: Deps, message) => {
    const facts = await readFacts(deps, message);
    const { giftId, kind, key } = message;
    const to = facts && findAddress(kind, facts.gift);
    if (!facts || !to) return;
    const site = await readMailSite(deps);
    const mail = renderMail(site, giftTexts[kind](facts), { to, username: null });
    await deps.mail.send({ ...mail, key: `gift:${giftId}:${kind}:${key}` });
  },
});

export const enqueueGiftMail = (db: Db, message: GiftMail, now: number) =>
  enqueue(db, sendGiftMail, message, { now });

/** So many at a time: the rest follows within minutes. */
const BATCH = 200;

/** Sends each gift on its morning, once, or as soon as it is paid for after that. */
export const sendGifts = defineSchedule({
  name: 'send-gifts',
  lane: 'mail',
  everyMs: 5 * MINUTE,
  run: async ({ database, clock, jobs }: Deps) => {
    const now = clock.now();
    const due = await database.db
      .selectFrom('gifts')
      .select('id')
      .where('send_at', '<=', now)
      .where('sent_at', 'is', null)
      .where('paid_at', 'is not', null)
      .where('void_at', 'is', null)
      .where('redeemed_at', 'is', null)
      .orderBy('send_at')
      .limit(BATCH)
      .execute();
    for (const { id } of due)
      await database.db.transaction().execute(async (tx) => {
        const claimed = await tx
          .updateTable('gifts')
          .set({ sent_at: now })
          .where('id', '=', id)
          .where('sent_at', 'is', null)
          .returning('id')
          .executeTakeFirst();
        if (claimed) await enqueueGiftMail(tx, { giftId: id, kind: 'gift', key: 'first' }, now);
      });
    jobs.wake();
  },
});

/** A bank had it, and then didn't make it: whoever closed the page hears of it by mail. */
export async function reportUnarrived(tx: Tx, deps: Deps, row: PaymentRow): Promise<void> {
  const { reference, user_id: userId, amount, currency } = row;
  const key = `unarrived:${reference}`;
  const message = { kind: 'unarrived' as const, amount, currency };
  if (userId !== null) return enqueueMessages(tx, deps, userId, [{ key, message }]);
  const gift = await tx
    .selectFrom('gifts')
    .select('id')
    .where('reference', '=', reference)
    .executeTakeFirst();
  const mail = gift && { giftId: gift.id, kind: 'failed' as const, key: 'once' };
  if (mail) await enqueueGiftMail(tx, mail, deps.clock.now());
}
