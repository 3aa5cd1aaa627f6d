import { formatDay } from '#contract/rules/format.ts';
import { escapeHtml } from '../../../http/send/escape-html.ts';
import type { MailMessage } from '../../../ports/mail/mail.ts';
import { toParagraph, wrapHtml } from '../account-messages.ts';

type Link = { url: string; label: string };
type Text = { subject: string; before: string[]; link: Link; after: string[] };

function build(to: string, { subject, before, link, after }: Text): MailMessage {
  const anchor = `<p><a href="${escapeHtml(link.url)}">${escapeHtml(link.label)}</a></p>`;
  return {
    to,
    subject,
    text: `${[...before, link.url, ...after].join('\n\n')}\n`,
    html: wrapHtml([...before.map(toParagraph), anchor, ...after.map(toParagraph)].join('\n')),
  };
}

type Recipient = { to: string; username: string; siteName: string };

export const buildWelcomeMessage = ({ to, username, siteName, url }: Recipient & { url: string }) =>
  build(to, {
    subject: `Confirm your e-mail address for ${siteName}`,
    before: [
      `Hello ${username},`,
      `Welcome to ${siteName}. Please confirm that this is your e-mail address:`,
    ],
    link: { url, label: 'Confirm my e-mail address' },
    after: [
      'The link works for 7 days. Until you confirm, we won’t send receipts or news about mixes to this address.',
      'If you didn’t create this account, ignore this e-mail.',
    ],
  });

export const buildConfirmMessage = ({ to, username, siteName, url }: Recipient & { url: string }) =>
  build(to, {
    subject: `Confirm your new e-mail address for ${siteName}`,
    before: [
      `Hello ${username},`,
      `You asked to use this address for your ${siteName} account. It changes as soon as you confirm:`,
    ],
    link: { url, label: 'Use this e-mail address' },
    after: [
      'The link works for 24 hours.',
      'If you didn’t ask for this, ignore this e-mail; nothing changes.',
    ],
  });

type Invitation = Recipient & {
  url: string;
  origin: string;
  days: number;
  timeZone: string;
  /** Null without access. */
  paidUntil: number | null;
};

/** To a member whom an administrator brought from somewhere else. */
export const buildInvitation = (mail: Invitation): MailMessage => {
  const { to, username, siteName, url, origin, days, timeZone, paidUntil } = mail;
  return build(to, {
    subject: `Your ${siteName} account is ready`,
    before: [
      `Hello ${username},`,
      `We’ve moved to ${siteName}, and brought your membership along.${paidUntil === null ? '' : ` You have Premium until ${formatDay(paidUntil, timeZone)}, and nothing to pay before that.`} Set a password to start listening:`,
    ],
    link: { url, label: 'Set my password' },
    after: [
      `The link works for ${days} days. After that, ask for a new one: ${origin}/forgot-password`,
      `You can log in as ${username} or with this e-mail address. By setting a password you accept our terms and privacy policy: ${origin}/terms ${origin}/privacy`,
      'If you don’t want an account, ignore this e-mail.',
    ],
  });
};

/** For someone whose address was entered again: the page that asked for it must not reveal that. */
export const buildKnownAddressMessage = ({
  to,
  username,
  siteName,
  otherUsername,
  origin,
}: Recipient & { otherUsername: string; origin: string }) =>
  build(to, {
    subject: `You already have a ${siteName} account`,
    before: [
      `Hello ${username},`,
      `Someone (hopefully you) entered this address for the ${siteName} account ${otherUsername}. It already belongs to your account ${username}, so ${otherUsername} can’t use it.`,
      `To use your account, log in as ${username}. If you’ve forgotten the password, set a new one here:`,
    ],
    link: { url: `${origin}/forgot-password`, label: 'Set a new password' },
    after: ['If it wasn’t you, you don’t need to do anything: nothing has changed.'],
  });

export type UndoReason = 'requested' | 'changed' | 'password-reset' | 'password-changed';

type UndoMail = Recipient & {
  newEmail: string;
  reason: UndoReason;
  url: string;
  until: number;
  timeZone: string;
};

const undoTexts: Record<
  UndoReason,
  (mail: Pick<UndoMail, 'siteName' | 'newEmail'>) => { subject: string; lead: string }
> = {
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
export function buildUndoMessage(mail: UndoMail): MailMessage {
  const { to, username, url, until, timeZone, reason } = mail;
  const { subject, lead } = undoTexts[reason](mail);
  return build(to, {
    subject,
    before: [
      `Hello ${username},`,
      lead,
      'If this was you, you don’t need to do anything. If not, take your account back:',
    ],
    link: { url, label: 'This wasn’t me' },
    after: [
      `The link works until ${formatDay(until, timeZone)}. It makes this the address of your account again, logs out every device and asks you for a new password.`,
    ],
  });
}
