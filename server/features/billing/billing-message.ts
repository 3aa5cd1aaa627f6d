import { z } from 'zod';
import { CURRENCY } from '#contract/rules/plans.ts';
import { escapeHtml } from '../../http/escape-html.ts';
import type { MailMessage } from '../../ports/mail/mail.ts';
import { formatAmount, formatDay } from './format-amount.ts';
import { writeInvoiceNumber } from './invoices.ts';
import type { InvoiceRow } from './queries.ts';

const plan = z.enum(['monthly', 'annual']);
const time = z.int();

/** What a message is about. It names no person: whoever it is for is looked up when it is sent. */
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
    isCodeSpent: z.boolean().default(false),
  }),
]);
export type BillingMessage = z.infer<typeof BillingMessage>;

export type MessageContext = {
  to: string;
  username: string;
  siteName: string;
  origin: string;
  timeZone: string;
  /** The one a receipt is about. */
  invoice: InvoiceRow | null;
};

type Words = { subject: string; lines: string[]; link: { label: string; path: string } };

const yourSubscription = { label: 'Your subscription', path: '/subscription' };
const newCard = { label: 'Use another card', path: '/subscription' };

function writeReceipt({ invoice, siteName, timeZone }: MessageContext): Words | null {
  if (!invoice) return null;
  const amount = formatAmount(invoice.amount, invoice.currency);
  const number = writeInvoiceNumber(invoice.number);
  const day = (at: number) => formatDay(at, timeZone);
  return {
    subject: `Your receipt from ${siteName}: ${amount}`,
    lines: [
      `We have received ${amount} for ${siteName} Premium (${invoice.plan}), paid on ${day(invoice.at)}. It pays for the time from ${day(invoice.from_at)} to ${day(invoice.to_at)}.`,
      `Invoice number: ${number}`,
    ],
    link: { label: 'See or print the invoice', path: `/subscription/invoices/${invoice.id}` },
  };
}

/** Null when there is nothing to say any more. */
function writeWords(message: BillingMessage, context: MessageContext): Words | null {
  const { siteName, timeZone } = context;
  const day = (at: number) => formatDay(at, timeZone);
  switch (message.kind) {
    case 'welcome':
      return {
        subject: `Welcome to ${siteName} Premium`,
        lines: [
          'Every mix is yours from the first second to the last: whole, in the best quality, to download and to keep offline.',
          `You have the ${message.plan} plan. It renews by itself, and you can cancel whenever you like.`,
        ],
        link: { label: 'Listen now', path: '/' },
      };
    case 'receipt':
      return writeReceipt(context);
    case 'reminder':
      return {
        subject: `Your year of ${siteName} Premium renews on ${day(message.at)}`,
        lines: [
          `On ${day(message.at)} your card is charged ${formatAmount(message.amount, CURRENCY)} for another year of Premium.`,
          'There is nothing to do. Should you not want it, cancel before that day and nothing is charged.',
        ],
        link: yourSubscription,
      };
    case 'failed':
      return {
        subject: `Your payment for ${siteName} did not go through`,
        lines: [
          `The payment for your Premium subscription failed. ${message.reason ?? ''}`.trim(),
          `You can listen on until ${day(message.until)}. Use another card before then, and nothing changes.`,
        ],
        link: newCard,
      };
    case 'grace-ending':
      return {
        subject: `Your ${siteName} Premium ends on ${day(message.until)}`,
        lines: [
          `We still could not take the payment for your subscription. On ${day(message.until)} your access to whole mixes ends.`,
          'Use another card to keep it.',
        ],
        link: newCard,
      };
    case 'cancelled':
      return {
        subject: `Your ${siteName} subscription is cancelled`,
        lines: [
          'Your subscription is not renewed any more, and nothing else will be charged.',
          message.until === null
            ? 'You can come back whenever you like.'
            : `What you have paid for stays yours until ${day(message.until)}. Until then you can change your mind with one click.`,
        ],
        link: yourSubscription,
      };
    case 'refused':
      return {
        subject: `Your payment to ${siteName}: we are paying it back`,
        lines: [
          `${formatAmount(message.amount, message.currency)} was taken${message.isCodeSpent ? ' with a code that had been used up before' : ', which is not what you had agreed to'}. It gives no access, and all of it goes back to you.`,
          'The subscription that came of it is cancelled. Your bank may take a few days to show the money. You can subscribe again whenever you like.',
        ],
        link: yourSubscription,
      };
    case 'duplicate':
      return {
        subject: `You paid twice for ${siteName}: we are paying it back`,
        lines: [
          'Two subscriptions were paid for at the same time, most likely from two open pages. One is enough.',
          'We have cancelled the second one and are paying back all of it. Your bank may take a few days to show it.',
        ],
        link: yourSubscription,
      };
  }
}

/** Plain and HTML say the same. */
export function writeBillingMessage(
  message: BillingMessage,
  context: MessageContext,
): MailMessage | null {
  const words = writeWords(message, context);
  if (!words) return null;
  const paragraphs = [`Hello ${context.username},`, ...words.lines];
  const url = `${context.origin}${words.link.path}`;
  const html = paragraphs.map((text) => `<p>${escapeHtml(text)}</p>`).join('\n');
  const link = `<p><a href="${escapeHtml(url)}">${escapeHtml(words.link.label)}</a></p>`;
  return {
    to: context.to,
    subject: words.subject,
    text: `${[...paragraphs, `${words.link.label}: ${url}`].join('\n\n')}\n`,
    html: `<!doctype html><html lang="en"><body style="font-family:sans-serif;line-height:1.5">\n${html}\n${link}\n</body></html>`,
  };
}
