import { escapeHtml } from '../../../http/send/escape-html.ts';
import type { MailMessage } from '../../../ports/mail/mail.ts';
import type {
  BillingMessage,
  MessageContext,
  MessageText,
  MessageTexts,
} from './billing-message.ts';
import { paymentTexts } from './payment-texts.ts';
import { subscriptionTexts } from './subscription-texts.ts';

const texts: MessageTexts = { ...paymentTexts, ...subscriptionTexts };

function writeText<Kind extends BillingMessage['kind']>(
  message: Extract<BillingMessage, { kind: Kind }>,
  context: MessageContext,
): MessageText | null {
  return texts[message.kind](message, context);
}

/** The same text as plain text and as HTML; null when there is no longer anything to say. */
export function buildBillingMail(
  message: BillingMessage,
  context: MessageContext,
): MailMessage | null {
  const text = writeText(message, context);
  return text && renderMail(text, { ...context, greeting: `Hello ${context.username},` });
}

export function renderMail(
  text: MessageText,
  { to, origin, greeting }: { to: string; origin: string; greeting: string },
): MailMessage {
  const paragraphs = [greeting, ...text.lines];
  const url = `${origin}${text.link.path}`;
  const html = paragraphs.map((paragraph) => `<p>${escapeHtml(paragraph)}</p>`).join('\n');
  const link = `<p><a href="${escapeHtml(url)}">${escapeHtml(text.link.label)}</a></p>`;
  return {
    to,
    subject: text.subject,
    text: `${[...paragraphs, `${text.link.label}: ${url}`].join('\n\n')}\n`,
    html: `<!doctype html><html lang="en"><body style="font-family:sans-serif;line-height:1.5">\n${html}\n${link}\n</body></html>`,
  };
}
