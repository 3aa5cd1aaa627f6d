import { z } from 'zod';
import { formatDate, formatMoney } from '#contract/rules/format.ts';
import { CURRENCY } from '#contract/rules/plans.ts';
import { escapeHtml } from '../../../http/escape-html.ts';
import type { MailMessage } from '../../../ports/mail/mail.ts';
import { formatInvoiceNumber } from '../invoices/service.ts';
import type { InvoiceRow } from '../queries.ts';

const plan = z.enum(['monthly', 'annual']);
const time = z.int();

/** The facts of a message. It contains no personal data: the job looks up the recipient. */
export const BillingMessage = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('welcome'), plan, until: time.nullable() }),
  z.object({ kind: z.literal('receipt'), provider: z.string(), chargeId: z.string() }),
  z.object({ kind: z.literal('reminder'), at: time, amount: z.int() }),
  z.object({ kind: z.literal('failed'), until: time, reason: z.string().nullable() }),
  z.object({ kind: z.literal('grace-ending'), until: time }),
  z.object({ kind: z.literal('cancelled'), until: time.nullable() }),
  z.object({ kind: z.literal('duplicate') }),
  z.object({
    kind: z.literal('refused'),
    amount: z.int(),
    currency: z.string(),
    isCouponSpent: z.boolean().default(false),
  }),
]);
export type BillingMessage = z.infer<typeof BillingMessage>;

type MessageContext = {
  to: string;
  username: string;
  siteName: string;
  origin: string;
  timeZone: string;
  /** For a receipt. */
  invoice: InvoiceRow | null;
};

type MessageText = { subject: string; lines: string[]; link: { label: string; path: string } };

const toSubscription = { label: 'Your subscription', path: '/subscription' };
const toCard = { label: 'Update your card', path: '/subscription' };

function writeReceipt({ invoice, siteName, timeZone }: MessageContext): MessageText | null {
  if (!invoice) return null;
  const amount = formatMoney(invoice.amount, invoice.currency);
  const day = (at: number) => formatDate(at, timeZone);
  return {
    subject: `Your receipt from ${siteName}: ${amount}`,
    lines: [
      `Thanks! We received ${amount} on ${day(invoice.at)} for ${siteName} Premium (${invoice.plan}). It covers ${day(invoice.from_at)} to ${day(invoice.to_at)}.`,
      `Invoice number: ${formatInvoiceNumber(invoice.number)}`,
    ],
    link: { label: 'View or print your invoice', path: `/subscription/invoices/${invoice.id}` },
  };
}

/** Null when there is no longer anything to say. */
function writeText(message: BillingMessage, context: MessageContext): MessageText | null {
  const { siteName, timeZone } = context;
  const day = (at: number) => formatDate(at, timeZone);
  switch (message.kind) {
    case 'welcome':
      return {
        subject: `Welcome to ${siteName} Premium`,
        lines: [
          'Every mix is yours, from first second to last: in full, in the best quality, to download and play offline.',
          `You’re on the ${message.plan} plan. It renews automatically and you can cancel any time.`,
        ],
        link: { label: 'Listen now', path: '/' },
      };
    case 'receipt':
      return writeReceipt(context);
    case 'reminder':
      return {
        subject: `Your year of ${siteName} Premium renews on ${day(message.at)}`,
        lines: [
          `On ${day(message.at)} we’ll charge your card ${formatMoney(message.amount, CURRENCY)} for another year of Premium.`,
          'No action needed. If you don’t want to renew, cancel before then.',
        ],
        link: toSubscription,
      };
    case 'failed':
      return {
        subject: `Your payment for ${siteName} didn’t go through`,
        lines: [
          `The payment for your Premium subscription failed. ${message.reason ?? ''}`.trim(),
          `You can keep listening until ${day(message.until)}. Update your card before then to keep Premium.`,
        ],
        link: toCard,
      };
    case 'grace-ending':
      return {
        subject: `Your ${siteName} Premium ends on ${day(message.until)}`,
        lines: [
          `We still couldn’t take your payment. Your Premium access ends on ${day(message.until)}.`,
          'Update your card to keep it.',
        ],
        link: toCard,
      };
    case 'cancelled':
      return {
        subject: `Your ${siteName} subscription is cancelled`,
        lines: [
          'Your subscription won’t renew and you won’t be charged again.',
          message.until === null
            ? 'You can come back any time.'
            : `You have Premium until ${day(message.until)}. Changed your mind? Resume with one click.`,
        ],
        link: toSubscription,
      };
    case 'refused':
      return {
        subject: `Refund of your ${siteName} payment`,
        lines: [
          `We charged ${formatMoney(message.amount, message.currency)}${message.isCouponSpent ? ' with a code that had already been used' : ', which wasn’t the amount you agreed to'}. We’re refunding it in full.`,
          'We’ve cancelled that subscription. Your bank may take a few days to show the refund. You can subscribe again any time.',
        ],
        link: toSubscription,
      };
    case 'duplicate':
      return {
        subject: `You were charged twice for ${siteName}: refund on its way`,
        lines: [
          'You paid for two subscriptions at the same time, probably from two open tabs.',
          'We’ve cancelled the second and refunded it in full. Your bank may take a few days to show the refund.',
        ],
        link: toSubscription,
      };
  }
}

/** The same text as plain text and as HTML. */
export function buildBillingMail(
  message: BillingMessage,
  context: MessageContext,
): MailMessage | null {
  const text = writeText(message, context);
  if (!text) return null;
  const paragraphs = [`Hello ${context.username},`, ...text.lines];
  const url = `${context.origin}${text.link.path}`;
  const html = paragraphs.map((paragraph) => `<p>${escapeHtml(paragraph)}</p>`).join('\n');
  const link = `<p><a href="${escapeHtml(url)}">${escapeHtml(text.link.label)}</a></p>`;
  return {
    to: context.to,
    subject: text.subject,
    text: `${[...paragraphs, `${text.link.label}: ${url}`].join('\n\n')}\n`,
    html: `<!doctype html><html lang="en"><body style="font-family:sans-serif;line-height:1.5">\n${html}\n${link}\n</body></html>`,
  };
}
