import { formatDate, formatMoney } from '#contract/rules/format.ts';
import { CURRENCY } from '#contract/rules/plans.ts';
import { toVatPercent } from '../../../vat.ts';
import { formatInvoiceNumber } from '../invoices/service.ts';
import type { InvoiceRow } from '../queries.ts';
import { toPay, toSubscription, type MessageTexts } from './billing-message.ts';

function describeVat({ amount, vat, vat_rate, currency }: InvoiceRow): string[] {
  if (vat_rate === null) return [];
  const money = (cents: number) => formatMoney(cents, currency, 'auto');
  return [
    `It includes ${money(vat)} VAT at ${toVatPercent(vat_rate)}% (${money(amount - vat)} without VAT).`,
  ];
}

/** What replacing a card does, and doesn't do. */
const NEW_CARD =
  'If your card needs replacing, update it there first. Your bank may show a small payment that checks the new card; it’s given back at once. Then see on the page whether anything is left to pay.';

/** About money that was taken, wasn't taken, or went back. */
export const paymentTexts: MessageTexts<
  'receipt' | 'failed' | 'grace-ending' | 'duplicate' | 'refund'
> = {
  receipt: (_message, { invoice, siteName, timeZone }) => {
    if (!invoice) return null;
    const amount = formatMoney(invoice.amount, invoice.currency);
    const day = (at: number) => formatDate(at, timeZone);
    return {
      subject: `Your receipt from ${siteName}: ${amount}`,
      lines: [
        `Thanks! We received ${amount} on ${day(invoice.at)} for ${siteName} Premium (${invoice.plan}). It covers ${day(invoice.from_at)} to ${day(invoice.to_at)}.`,
        ...describeVat(invoice),
        `${invoice.vat_rate === null ? 'Invoice' : 'Tax invoice'} number: ${formatInvoiceNumber(invoice.number)}`,
      ],
      link: {
        label: `View or print your ${invoice.vat_rate === null ? 'invoice' : 'tax invoice'}`,
        path: `/subscription/invoices/${invoice.id}`,
      },
    };
  },
  failed: ({ until, reason, amount }, { siteName, timeZone }) => ({
    subject: `Your payment for ${siteName} didn’t go through`,
    lines: [
      `The payment${amount === null ? '' : ` of ${formatMoney(amount, CURRENCY)}`} for your Premium subscription failed. ${reason ?? ''}`.trim(),
      `You can keep listening until ${formatDate(until, timeZone)}. Don’t wait for another attempt: pay on your subscription page before then.`,
      NEW_CARD,
    ],
    link: toPay,
  }),
  'grace-ending': ({ until }, { siteName, timeZone }) => ({
    subject: `Your ${siteName} Premium ends on ${formatDate(until, timeZone)}`,
    lines: [
      `Your last payment is still open. Your Premium access ends on ${formatDate(until, timeZone)} unless you pay on your subscription page before then.`,
      NEW_CARD,
    ],
    link: toPay,
  }),
  refund: ({ amount, currency }, { siteName, refund }) => {
    const money = formatMoney(amount, currency);
    return {
      subject: `Your refund from ${siteName}: ${money}`,
      lines: [
        refund?.isWithdrawal
          ? `You cancelled within the cooling-off period, so we’ve ended your subscription and refunded ${money}, all of it. Nothing more will be charged.`
          : `We’ve refunded ${money} to the card you paid with.`,
        'Your bank may take up to ten working days to show it.',
        ...(refund?.creditNote ? [`Credit note number: ${refund.creditNote}`] : []),
      ],
      link: toSubscription,
    };
  },
  duplicate: (_message, { siteName }) => ({
    subject: `You were charged twice for ${siteName}: refund on its way`,
    lines: [
      'You paid for two subscriptions at the same time, probably from two open tabs.',
      'We’ve cancelled the second and refunded it in full. Your bank may take a few days to show the refund.',
    ],
    link: toSubscription,
  }),
};
