import { dayOf } from '#contract/rules/days.ts';
import { DAY } from '#contract/rules/time.ts';
import type { Deps } from '../../deps.ts';
import type { MailSite, SampleMail } from '../mails/service.ts';
import { renderMail } from './billing-mail/message-text.ts';
import { describeHearing, writePremiumWelcome } from './billing-mail/premium-welcome.ts';
import { listSampleMessages } from './billing-mail/sample-messages.ts';
import { giftTexts, type GiftMailFacts } from './pay-once/gift-mail.ts';

type Recipient = { to: string; username: string };

/** Every mail about payments and subscriptions. */
export const listSamplePaymentMails = (
  deps: Deps,
  site: MailSite,
  recipient: Recipient,
): SampleMail[] =>
  listSampleMessages(deps.clock.now()).map((message) => ({
    name: `payment-${message.kind}`,
    write: async () => {
      const { writeMessage } = await import('./billing-mail/write-message.ts');
      const text = writeMessage(message, deps.config);
      const words = message.kind === 'welcome' ? await writePremiumWelcome(deps, site) : [];
      return renderMail(site, { ...text, lines: [...words, ...text.lines] }, recipient);
    },
  }));

/** Every mail about a gift. */
export function listSampleGiftMails(deps: Deps, site: MailSite, { to }: Recipient): SampleMail[] {
  const { clock, config } = deps;
  const { siteName, timeZone } = config;
  const now = clock.now();
  const facts: Omit<GiftMailFacts, 'hearing'> = {
    gift: {
      months: 3,
      from_name: 'Thandi',
      words: 'Happy birthday!\nPlay it loud.',
      recipient_email: 'friend@example.com',
      send_on: dayOf(now + DAY, timeZone),
      created_at: now,
      void_at: null,
    },
    payment: { amount: 23_700, currency: 'ZAR', reference: 'example' },
    invoice: undefined,
    url: `${site.origin}/gift/example`,
    amount: 23_700,
    siteName,
    timeZone,
  };
  return Object.entries(giftTexts).map(([kind, write]) => ({
    name: `gift-${kind}`,
    write: async () => {
      const text = write({ ...facts, hearing: await describeHearing(deps) });
      return renderMail(site, text, { to, username: null });
    },
  }));
}
