import type { Config } from '../../../config.ts';
import type { MailMessage } from '../../../ports/mail/mail.ts';
import { layOutMail, type MailSite } from '../../mails/service.ts';

export type MessageText = {
  subject: string;
  lines: string[];
  /** Below the first line: what it is about, in figures. */
  facts?: [label: string, value: string][];
  /** Somebody else’s words, after the figures. */
  quote?: string[];
  link: { label: string; path: string };
};

export type Site = Pick<Config, 'siteName' | 'timeZone'>;
export type Money = { amount: number; currency: string };

/** What each kind of message says, from its facts. It names nobody. */
export type Texts = Record<string, (facts: never, site: Site) => MessageText>;

export const toSubscription = { label: 'Your subscription', path: '/subscription' };

type Recipient = { to: string; username: string | null };

export function renderMail(site: MailSite, text: MessageText, recipient: Recipient): MailMessage {
  const { subject, lines, facts = [], quote = [], link } = text;
  const [lead = '', ...more] = lines;
  return layOutMail(site, {
    ...recipient,
    subject,
    blocks: [
      lead,
      ...(facts.length > 0 ? [{ facts }] : []),
      ...(quote.length > 0 ? [{ quote }] : []),
      ...more,
    ],
    button: { label: link.label, url: `${site.origin}${link.path}` },
  });
}
