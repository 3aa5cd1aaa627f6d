import { formatDate, formatExactMoney, formatMoney } from '#contract/rules/format.ts';
import { toVatPercent } from '#contract/rules/vat.ts';
import { formatInvoiceNumber } from '../invoices/service.ts';
import type { InvoiceRow } from '../queries.ts';
import { toCard, toSubscription, type MessageTexts } from './billing-message.ts';

function describeVat({ amount, vat, vat_rate, currency }: InvoiceRow): string[] {
  if (vat_rate === null) return [];
  const money = (cents: number) => formatExactMoney(cents, currency);
  return [
    `It includes ${money(vat)} VAT at ${toVatPercent(vat_rate)}% (${money(amount - vat)} without VAT).`,
  ];
}

/** About money that was taken, wasn't taken, or went back. */
export const paymentTexts: MessageTexts<'receipt' | 'failed' | 'grace-ending' | 'duplicate'> = {
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
  failed: ({ until, reason }, { siteName, timeZone }) => ({
    subject: `Your payment for ${siteName} didn’t go through`,
    lines: [
      `The payment for your Premium subscription failed. ${reason ?? ''}`.trim(),
      `You can keep listening until ${formatDate(until, timeZone)}. Update your card before then to keep Premium.`,
    ],
    link: toCard,
  }),
  'grace-ending': ({ until }, { siteName, timeZone }) => ({
    subject: `Your ${siteName} Premium ends on ${formatDate(until, timeZone)}`,
    lines: [
      `We still couldn’t take your payment. Your Premium access ends on ${formatDate(until, timeZone)}.`,
      'Update your card to keep it.',
    ],
    link: toCard,
  }),
  duplicate: (_message, { siteName }) => ({
    subject: `You were charged twice for ${siteName}: refund on its way`,
    lines: [
      'You paid for two subscriptions at the same time, probably from two open tabs.',
      'We’ve cancelled the second and refunded it in full. Your bank may take a few days to show the refund.',
    ],
    link: toSubscription,
  }),
};
