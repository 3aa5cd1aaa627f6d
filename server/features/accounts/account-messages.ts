import { z } from 'zod';
import { escapeHtml } from '../../http/send/escape-html.ts';
import type { MailMessage } from '../../ports/mail/mail.ts';

export const AccountEvent = z.enum([
  'password-changed',
  'password-reset',
  'email-undone',
  'email-change-cancelled',
  'totp-on',
  'totp-off',
  'recovery-codes',
  'passkey-added',
  'passkey-removed',
  'admin-grace',
  'deleted',
]);
export type AccountEvent = z.infer<typeof AccountEvent>;

type Texts = { subject: string; lead: string; advice: string };

const adviseReset = (resetUrl: string) =>
  `If this wasn’t you, reset your password now: ${resetUrl} You’ll be logged out on every device.`;

const texts: Record<AccountEvent, (siteName: string, resetUrl: string, day: string) => Texts> = {
  'password-changed': (siteName, resetUrl) => ({
    subject: `Your ${siteName} password was changed`,
    lead: 'Your password was changed and all other devices were logged out.',
    advice: adviseReset(resetUrl),
  }),
  'password-reset': (siteName, resetUrl) => ({
    subject: `Your ${siteName} password was reset`,
    lead: 'Your password was reset with a link that we e-mailed, and every device was logged out.',
    advice: adviseReset(resetUrl),
  }),
  'email-undone': (siteName) => ({
    subject: `The change of your ${siteName} e-mail address was undone`,
    lead: `The previous address of the ${siteName} account was restored, so it doesn’t use this one.`,
    advice: 'If you didn’t expect this, contact us.',
  }),
  'email-change-cancelled': (siteName) => ({
    subject: `Your ${siteName} e-mail address was not changed`,
    lead: `The password of the ${siteName} account was changed before you confirmed this address, so the account doesn’t use it. The link we sent you no longer works.`,
    advice: 'If you still want to use this address, change it again on your profile.',
  }),
  'totp-on': (siteName, resetUrl) => ({
    subject: `Two-step login for ${siteName} is on`,
    lead: `You’ll now need a code from your authenticator app to log in to ${siteName}. Keep your recovery codes somewhere you can reach without your phone.`,
    advice: adviseReset(resetUrl),
  }),
  'totp-off': (siteName, resetUrl) => ({
    subject: `Two-step login for ${siteName} is off`,
    lead: `You no longer need a code to log in to ${siteName}.`,
    advice: adviseReset(resetUrl),
  }),
  'recovery-codes': (siteName, resetUrl) => ({
    subject: `New recovery codes for ${siteName}`,
    lead: `New recovery codes were generated for your ${siteName} account. The old ones no longer work.`,
    advice: adviseReset(resetUrl),
  }),
  'passkey-added': (siteName, resetUrl) => ({
    subject: `A passkey was added to your ${siteName} account`,
    lead: `You can now log in to ${siteName} with a new passkey, without your password.`,
    advice: `${adviseReset(resetUrl)} All passkeys will be removed.`,
  }),
  'passkey-removed': (siteName, resetUrl) => ({
    subject: `A passkey was removed from your ${siteName} account`,
    lead: `It can no longer be used to log in to ${siteName}.`,
    advice: adviseReset(resetUrl),
  }),
  'admin-grace': (siteName, _resetUrl, day) => ({
    subject: `Protect your ${siteName} administrator account by ${day}`,
    lead: `Administrators of ${siteName} need two-step login or a passkey. You have until ${day}; after that, the admin pages stay closed until you have set one of them up.`,
    advice: 'Log in and open Settings, then Security. It takes two minutes.',
  }),
  deleted: (siteName) => ({
    subject: `Your ${siteName} account has been deleted`,
    lead: 'As you asked, we’ve deleted your account and all your personal data. This can’t be undone.',
    advice: 'This is the last e-mail we’ll send you.',
  }),
};

export const wrapHtml = (paragraphs: string): string =>
  `<!doctype html><html lang="en"><body style="font-family:sans-serif;line-height:1.5">\n${paragraphs}\n</body></html>`;

export const toParagraph = (text: string): string => `<p>${escapeHtml(text)}</p>`;

type AccountMail = {
  to: string;
  username: string;
  siteName: string;
  origin: string;
  event: AccountEvent;
  /** When something ends that the message is about. */
  day?: string;
};

/** Tells the owner what changed, so that no one can change an account unnoticed. */
export function buildAccountMessage(mail: AccountMail): MailMessage {
  const { to, username, siteName, origin, event, day = '' } = mail;
  const { subject, lead, advice } = texts[event](siteName, `${origin}/forgot-password`, day);
  const paragraphs = [`Hello ${username},`, lead, advice];
  return {
    to,
    subject,
    text: `${paragraphs.join('\n\n')}\n`,
    html: wrapHtml(paragraphs.map(toParagraph).join('\n')),
  };
}

type ResetMail = { to: string; username: string; siteName: string; link: string; minutes: number };

export function buildResetMessage(mail: ResetMail): MailMessage {
  const { to, username, siteName, link, minutes } = mail;
  const greeting = `Hello ${username},`;
  const lead = `Someone (hopefully you) asked to reset your ${siteName} password.`;
  const limit = `The link works once and expires in ${minutes} minutes.`;
  const ignore = 'If it wasn’t you, ignore this e-mail; your password won’t change.';
  return {
    to,
    subject: `Reset your ${siteName} password`,
    text: [greeting, lead, link, limit, ignore].join('\n\n') + '\n',
    html: wrapHtml(
      [
        toParagraph(greeting),
        toParagraph(lead),
        `<p><a href="${escapeHtml(link)}">Reset your password</a></p>`,
        toParagraph(limit),
        toParagraph(ignore),
      ].join('\n'),
    ),
  };
}
