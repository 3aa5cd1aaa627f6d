import { DAY } from '#contract/rules/time.ts';
import { formatDay } from '#contract/rules/format.ts';
import type { MailSite, SampleMail } from '../mails/service.ts';
import { AccountEvent, buildAccountMessage, buildResetMessage } from './account-messages.ts';
import {
  buildConfirmMessage,
  buildInvitation,
  buildKnownAddressMessage,
  buildUndoMessage,
  buildWelcomeMessage,
  UndoReason,
} from './email/email-messages.ts';

type Example = { to: string; username: string; now: number; timeZone: string };

/** Every mail about an account. Their links lead nowhere. */
export function listSampleAccountMails(
  site: MailSite,
  { to, username, now, timeZone }: Example,
): SampleMail[] {
  const link = (path: string) => `${site.origin}/${path}/example`;
  const person = { to, username };
  const confirm = { ...person, url: link('confirm-email') };
  const undo = { ...person, url: link('undo-email-change'), until: now + 7 * DAY, timeZone };
  const invitation = { ...person, url: link('reset-password'), days: 7, timeZone };
  const day = formatDay(now + 7 * DAY, timeZone);
  return [
    { name: 'confirm-address', write: () => buildWelcomeMessage(site, confirm) },
    {
      name: 'invitation',
      write: () =>
        buildInvitation(site, { ...invitation, paidUntil: now + 60 * DAY, isHelper: false }),
    },
    {
      name: 'reset-link',
      write: () =>
        buildResetMessage(site, { ...person, link: link('reset-password'), minutes: 60 }),
    },
    { name: 'confirm-new-address', write: () => buildConfirmMessage(site, confirm) },
    {
      name: 'known-address',
      write: () => buildKnownAddressMessage(site, { ...person, otherUsername: 'another' }),
    },
    ...UndoReason.options.map((reason) => ({
      name: `address-${reason}`,
      write: () => buildUndoMessage(site, { ...undo, newEmail: 'new@example.com', reason }),
    })),
    ...AccountEvent.options.map((event) => ({
      name: `account-${event}`,
      write: () => buildAccountMessage(site, { ...person, event, day }),
    })),
  ];
}
