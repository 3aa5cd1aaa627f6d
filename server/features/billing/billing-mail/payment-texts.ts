import { formatDate, formatMoney } from '#contract/rules/format.ts';
import { CURRENCY, describeMonths, type Plan } from '#contract/rules/plans.ts';
import { toVatPercent } from '#contract/rules/vat.ts';
import { formatInvoiceNumber } from '../ledger/invoices.ts';
import type { Refusal } from '../ledger/ledger-entries.ts';
import type { InvoiceRow } from '../queries.ts';
import {
  toSubscription,
  type MessageText,
  type Money,
  type Site,
  type Texts,
} from './message-text.ts';

const toPay = { label: 'Pay now or update your card', path: '/subscription' };

type Facts = NonNullable<MessageText['facts']>;

/** The VAT in it, and the number of its document. */
export function listInvoiceFacts(invoice: InvoiceRow): Facts {
  const { amount, vat, vat_rate, currency } = invoice;
  const money = (cents: number) => formatMoney(cents, currency, 'auto');
  const number = formatInvoiceNumber(invoice.number);
  if (vat_rate === null) return [['Invoice number', number]];
  return [
    [`VAT at ${toVatPercent(vat_rate)}%`, `${money(vat)} (${money(amount - vat)} without VAT)`],
    ['Tax invoice number', number],
  ];
}

const describePurchase = ({ plan, months }: InvoiceRow, siteName: string): string =>
  plan === null
    ? `${describeMonths(months ?? 1)} of ${siteName} Premium`
    : `${siteName} Premium (${plan})`;

const TAKES_DAYS = 'Your bank may take a few days to show the refund.';

const EXPLAINED: Record<Refusal, string> = {
  amount: 'Sorry, that wasn’t the amount you agreed to',
  coupon: 'The code had already been used',
  card: 'That card has already had its free trial',
  second: 'You were charged twice, probably because two tabs were open',
  cancelled: 'You had cancelled before the payment arrived',
};

/** The number of its credit note, and whether the member withdrew. */
type Refund = { creditNote: string | null; isWithdrawal: boolean };

/** A payment that is owed: on which day after it failed, until when it can be paid. */
type Owed = {
  until: number;
  reason: string | null;
  amount: number;
  day: number;
  needsMember: boolean;
  /** We try the card again by ourselves. */
  isRetried: boolean;
};

/** About money that was taken, wasn't taken, or went back. */
export const paymentTexts = {
  receipt: ({ invoice }: { invoice: InvoiceRow }, { siteName, timeZone }: Site) => {
    const amount = formatMoney(invoice.amount, invoice.currency);
    const day = (at: number) => formatDate(at, timeZone);
    return {
      subject: `Your receipt from ${siteName}: ${amount}`,
      lines: [
        `Thanks! We received ${amount} on ${day(invoice.at)} for ${describePurchase(invoice, siteName)}.`,
      ],
      facts: [
        ['Amount', amount],
        ['Covers', `${day(invoice.from_at)} to ${day(invoice.to_at)}`],
        ...listInvoiceFacts(invoice),
      ] satisfies Facts,
      link: {
        label: `View or print your ${invoice.vat_rate === null ? 'invoice' : 'tax invoice'}`,
        path: `/subscription/invoices/${invoice.id}`,
      },
    };
  },
  failed: (
    { until, reason, amount, day, needsMember, isRetried }: Owed,
    { siteName, timeZone }: Site,
  ) => {
    const money = formatMoney(amount, CURRENCY);
    const end = formatDate(until, timeZone);
    return {
      subject:
        day < 3
          ? `Your payment for ${siteName} didn’t go through`
          : `Your ${siteName} Premium ends on ${end} unless you pay`,
      lines: [
        `${money} for your Premium subscription ${day === 0 ? 'couldn’t be charged' : 'still hasn’t gone through'}. ${reason ?? ''}`.trim(),
        needsMember
          ? `Your bank wants you to confirm it yourself: open your subscription page and pay by ${end}.`
          : `Pay on your subscription page by ${end}, with this card or another one.${isRetried ? ' We also try your card again over the next days.' : ''}`,
        'The card you pay with is the one we charge from then on.',
      ],
      link: toPay,
    };
  },
  /** A bank had it and didn't make it. */
  unarrived: ({ amount, currency }: Money, { siteName }: Site) => ({
    subject: `Your payment for ${siteName} didn’t arrive`,
    lines: [
      `Your bank said that ${formatMoney(amount, currency)} was on its way, but then didn’t make the payment. Nothing was added to your account.`,
      'Pay again on the pricing page, in another way if you like.',
    ],
    link: { label: 'Pay again', path: '/pricing' },
  }),
  'unpaid-end': ({ plan }: { plan: Plan }, { siteName }: Site) => ({
    subject: `Your ${siteName} Premium has ended`,
    lines: [
      `We couldn’t charge your card for the ${plan} plan, so your subscription has ended and nothing more will be charged.`,
      'You can come back any time: choose a plan and pay with any card.',
    ],
    link: { label: 'See the plans', path: '/pricing' },
  }),
  /** Charged long after it was due, because the site was down. */
  'late-charge': (
    { due, from, until }: { due: number; from: number; until: number },
    { siteName, timeZone }: Site,
  ) => {
    const day = (at: number) => formatDate(at, timeZone);
    return {
      subject: `About your ${siteName} payment of ${day(from)}`,
      lines: [
        `Your payment was due on ${day(due)}, but we only charged it on ${day(from)}. We charged once, and not for the time before.`,
        `It covers the time until ${day(until)}. The day of your payments stays the same.`,
      ],
      link: toSubscription,
    };
  },
  'refund-failed': ({ amount, currency }: Money, { siteName }: Site) => ({
    subject: `Your refund from ${siteName} didn’t reach you`,
    lines: [
      `Your bank sent back our refund of ${formatMoney(amount, currency)}. We know about it and will ask for it again.`,
      'If your card was closed or replaced, write to us, so that we can pay it another way.',
    ],
    link: toSubscription,
  }),
  refund: ({ amount, currency, creditNote, isWithdrawal }: Money & Refund, { siteName }: Site) => {
    const money = formatMoney(amount, currency);
    return {
      subject: `Your refund from ${siteName}: ${money}`,
      lines: [
        isWithdrawal
          ? `You cancelled within the cooling-off period, so we’ve ended your subscription and refunded ${money}, all of it. Nothing more will be charged.`
          : `We’ve refunded ${money} to the card you paid with.`,
        'Your bank may take up to ten working days to show it.',
      ],
      facts: [
        ['Amount', money],
        ...(creditNote ? [['Credit note number', creditNote] satisfies Facts[number]] : []),
      ] satisfies Facts,
      link: toSubscription,
    };
  },
  refused: ({ amount, currency, why }: Money & { why: Refusal }, { siteName }: Site) => ({
    subject: `Refund of your ${siteName} payment: ${formatMoney(amount, currency)}`,
    lines: [
      `We received ${formatMoney(amount, currency)} and are refunding all of it. ${EXPLAINED[why]}.`,
      `${TAKES_DAYS} You don’t need to do anything.`,
    ],
    link: toSubscription,
  }),
} satisfies Texts;
