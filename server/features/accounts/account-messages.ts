import { z } from 'zod';
import { escapeHtml } from '../../http/escape-html.ts';
import type { MailMessage } from '../../ports/mail/mail.ts';

export const AccountEvent = z.enum([
  'password-changed',
  'email-changed',
  'totp-on',
  'totp-off',
  'recovery-codes',
  'deleted',
]);
export type AccountEvent = z.infer<typeof AccountEvent>;

type Texts = { subject: string; lead: string; advice: string };

const adviseReset = (resetUrl: string) =>
  `If this wasn’t you, reset your password now: ${resetUrl} You’ll be logged out on every device.`;

const texts: Record<AccountEvent, (siteName: string, resetUrl: string) => Texts> = {
  'password-changed': (siteName, resetUrl) => ({
    subject: `Your ${siteName} password was changed`,
    lead: 'Your password was changed and all other devices were logged out.',
    advice: adviseReset(resetUrl),
  }),
  'email-changed': (siteName) => ({
    subject: `Your ${siteName} e-mail address was changed`,
    lead: `Your ${siteName} account now uses a different e-mail address, so we won’t write to this one again.`,
    advice:
      'If this wasn’t you, log in, change it back on your profile and change your password in Settings. All other devices will be logged out.',
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
  deleted: (siteName) => ({
    subject: `Your ${siteName} account has been deleted`,
    lead: 'As you asked, we’ve deleted your account and all your personal data. This can’t be undone.',
    advice: 'This is the last e-mail we’ll send you.',
  }),
};

const wrapHtml = (paragraphs: string): string =>
  `<!doctype html><html lang="en"><body style="font-family:sans-serif;line-height:1.5">\n${paragraphs}\n</body></html>`;

const toParagraph = (text: string): string => `<p>${escapeHtml(text)}</p>`;

type AccountMail = {
  to: string;
  username: string;
  siteName: string;
  origin: string;
  event: AccountEvent;
};

/** Tells the owner what changed, so that no one can change an account unnoticed. */
export function buildAccountMessage(mail: AccountMail): MailMessage {
  const { to, username, siteName, origin, event } = mail;
  const { subject, lead, advice } = texts[event](siteName, `${origin}/forgot-password`);
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
