import { z } from 'zod';
import { formatDay } from '#contract/rules/format.ts';
import type { MailMessage } from '../../../ports/mail/mail.ts';
import { layOutMail, type MailSite } from '../../mails/service.ts';

type Recipient = { to: string; username: string };

type LinkMail = Recipient & { url: string };

export const buildWelcomeMessage = (site: MailSite, { to, username, url }: LinkMail): MailMessage =>
  layOutMail(site, {
    to,
    username,
    subject: `Confirm your e-mail address for ${site.siteName}`,
    blocks: [`Welcome to ${site.siteName}. Press once to confirm that this address is yours.`],
    button: { label: 'Confirm my e-mail address', url },
    notes: [
      'The link works for 7 days. Until you confirm, we hold back receipts and news of new mixes.',
      'If you didn’t create this account, ignore this e-mail.',
    ],
  });

export const buildConfirmMessage = (site: MailSite, { to, username, url }: LinkMail): MailMessage =>
  layOutMail(site, {
    to,
    username,
    subject: `Confirm your new e-mail address for ${site.siteName}`,
    blocks: [
      `You asked to use this address for your ${site.siteName} account. It changes as soon as you confirm.`,
    ],
    button: { label: 'Use this e-mail address', url },
    notes: [
      'The link works for 24 hours.',
      'If you didn’t ask for this, ignore this e-mail; nothing changes.',
    ],
  });

/** To an address that refused mail, whose owner says that it works again. */
export const buildRecheckMessage = (site: MailSite, { url, ...recipient }: LinkMail): MailMessage =>
  layOutMail(site, {
    ...recipient,
    subject: `Confirm that ${site.siteName} reaches you`,
    blocks: [
      'Some of our e-mails didn’t reach you, so we stopped sending them. This one did. To get them again:',
    ],
    button: { label: 'E-mail reaches me', url },
    notes: ['The link works for 7 days. If you didn’t ask for it, ignore this e-mail.'],
  });

type Invitation = LinkMail & {
  days: number;
  timeZone: string;
  /** Null without access. */
  paidUntil: number | null;
  isHelper: boolean;
};

const HELPS = 'upload and edit mixes, tracklists, artists and letters';

/** To a member whom an administrator brought from somewhere else, or to somebody who is to help. */
export const buildInvitation = (site: MailSite, mail: Invitation): MailMessage => {
  const { to, username, url, days, timeZone, paidUntil, isHelper } = mail;
  const { siteName, origin } = site;
  const premium =
    paidUntil === null
      ? ''
      : ` You have Premium until ${formatDay(paidUntil, timeZone)}, and nothing to pay before that.`;
  return layOutMail(site, {
    to,
    username,
    subject: `Your ${siteName} account is ready`,
    blocks: [
      isHelper
        ? `You’ve been asked to help run ${siteName}: you can ${HELPS}. Set a password to begin.`
        : `We’ve moved to ${siteName}, and brought your membership along.${premium} Set a password to start listening.`,
    ],
    button: { label: 'Set my password', url },
    after: [`You can log in as ${username} or with this e-mail address.`],
    notes: [
      `The link works for ${days} days. After that, ask for a new one: ${origin}/forgot-password`,
      `By setting a password you accept our terms and privacy policy: ${origin}/terms ${origin}/privacy`,
      'If you don’t want an account, ignore this e-mail.',
    ],
  });
};

/** For someone whose address was entered again: the page that asked for it must not reveal that. */
export const buildKnownAddressMessage = (
  site: MailSite,
  { to, username, otherUsername }: Recipient & { otherUsername: string },
): MailMessage =>
  layOutMail(site, {
    to,
    username,
    subject: `You already have a ${site.siteName} account`,
    blocks: [
      `Someone (hopefully you) entered this address for the ${site.siteName} account ${otherUsername}. It already belongs to your account ${username}, so ${otherUsername} can’t use it.`,
      `To use your account, log in as ${username}. If you’ve forgotten the password, set a new one.`,
    ],
    button: { label: 'Set a new password', url: `${site.origin}/forgot-password` },
    notes: ['If it wasn’t you, you don’t need to do anything: nothing has changed.'],
  });

export const UndoReason = z.enum(['requested', 'changed', 'password-reset', 'password-changed']);
export type UndoReason = z.infer<typeof UndoReason>;

type UndoMail = LinkMail & {
  newEmail: string;
  reason: UndoReason;
  until: number;
  timeZone: string;
};

type UndoFacts = { siteName: string; newEmail: string };

const undoTexts: Record<UndoReason, (facts: UndoFacts) => { subject: string; lead: string }> = {
  requested: ({ siteName, newEmail }) => ({
    subject: `Your ${siteName} e-mail address is about to change`,
    lead: `Someone (hopefully you) asked to change the address of your ${siteName} account to ${newEmail}. It changes when the link we sent there is opened.`,
  }),
  changed: ({ siteName, newEmail }) => ({
    subject: `Your ${siteName} e-mail address was changed`,
    lead: `Your ${siteName} account now uses ${newEmail}.`,
  }),
  'password-reset': ({ siteName, newEmail }) => ({
    subject: `Your ${siteName} password was reset`,
    lead: `The password of your ${siteName} account, which recently changed its address to ${newEmail}, was reset.`,
  }),
  'password-changed': ({ siteName, newEmail }) => ({
    subject: `Your ${siteName} password was changed`,
    lead: `The password of your ${siteName} account, which recently changed its address to ${newEmail}, was changed.`,
  }),
};

/** To the former address, whose owner can take the account back. */
export function buildUndoMessage(site: MailSite, mail: UndoMail): MailMessage {
  const { to, username, url, until, timeZone, reason, newEmail } = mail;
  const { subject, lead } = undoTexts[reason]({ siteName: site.siteName, newEmail });
  return layOutMail(site, {
    to,
    username,
    subject,
    blocks: [
      lead,
      'If this was you, you don’t need to do anything. If not, take your account back.',
    ],
    button: { label: 'This wasn’t me', url },
    notes: [
      `The link works until ${formatDay(until, timeZone)}. It makes this the address of your account again, logs out every device and asks you for a new password.`,
    ],
  });
}
