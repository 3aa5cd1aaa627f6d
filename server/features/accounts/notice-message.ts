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

type Words = { subject: string; lead: string; advice: string };

const notYou = (reset: string) =>
  `If it was not you, set a new password at once: ${reset} Every device is then signed out.`;

const words: Record<AccountEvent, (siteName: string, reset: string) => Words> = {
  'password-changed': (siteName, reset) => ({
    subject: `Your password for ${siteName} was changed`,
    lead: `The password of your ${siteName} account was changed. Every other device was signed out.`,
    advice: notYou(reset),
  }),
  'email-changed': (siteName) => ({
    subject: `Your address for ${siteName} was changed`,
    lead: `Your ${siteName} account now has another e-mail address. Messages no longer come here.`,
    advice:
      'If it was not you, log in, set the address back on your profile and change your password in the settings: every other device is then signed out.',
  }),
  'totp-on': (siteName, reset) => ({
    subject: `Two-step login for ${siteName} is on`,
    lead: `From now on a login to your ${siteName} account asks for a code from your authenticator app. Keep the recovery codes where you find them without your phone.`,
    advice: notYou(reset),
  }),
  'totp-off': (siteName, reset) => ({
    subject: `Two-step login for ${siteName} is off`,
    lead: `A login to your ${siteName} account no longer asks for a code.`,
    advice: notYou(reset),
  }),
  'recovery-codes': (siteName, reset) => ({
    subject: `New recovery codes for ${siteName}`,
    lead: `The recovery codes of your ${siteName} account were made anew. The old ones no longer let anybody in.`,
    advice: notYou(reset),
  }),
  deleted: (siteName) => ({
    subject: `Your ${siteName} account is deleted`,
    lead: `Your account and everything personal that we kept with it are deleted, as you asked. This cannot be undone.`,
    advice: 'This is the last message to this address.',
  }),
};

type Notice = {
  to: string;
  username: string;
  siteName: string;
  origin: string;
  event: AccountEvent;
};

/** Tells the owner what happened to the account, so that a stranger cannot do it unseen. */
export function writeNotice({ to, username, siteName, origin, event }: Notice): MailMessage {
  const { subject, lead, advice } = words[event](siteName, `${origin}/forgot-password`);
  const paragraphs = [`Hello ${username},`, lead, advice];
  const html = paragraphs.map((text) => `<p>${escapeHtml(text)}</p>`).join('\n');
  return {
    to,
    subject,
    text: `${paragraphs.join('\n\n')}\n`,
    html: `<!doctype html><html lang="en"><body style="font-family:sans-serif;line-height:1.5">\n${html}\n</body></html>`,
  };
}
