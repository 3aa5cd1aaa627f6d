import type { Config } from '../../../config.ts';
import { escapeHtml } from '../../../http/send/escape-html.ts';
import type { MailMessage } from '../../../ports/mail/mail.ts';

export type MessageText = {
  subject: string;
  lines: string[];
  link: { label: string; path: string };
};

export type Site = Pick<Config, 'siteName' | 'timeZone'>;
export type Money = { amount: number; currency: string };

/** What each kind of message says, from its facts. It names nobody. */
export type Texts = Record<string, (facts: never, site: Site) => MessageText>;

export const toSubscription = { label: 'Your subscription', path: '/subscription' };

/** The same as plain text and as HTML. */
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
