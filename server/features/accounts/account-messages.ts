import { z } from 'zod';
import type { MailMessage } from '../../ports/mail/mail.ts';
import { layOutMail, type MailSite } from '../mails/service.ts';

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
  'helper-added',
  'deleted',
]);
export type AccountEvent = z.infer<typeof AccountEvent>;

type Texts = {
  subject: string;
  lead: string;
  advice: string;
  button?: { label: string; path: string };
};

const toReset = { label: 'Reset your password', path: '/forgot-password' };
const ifStranger = {
  advice: 'If this wasn’t you, reset your password now. You’ll be logged out on every device.',
  button: toReset,
};

const texts: Record<AccountEvent, (siteName: string, day: string) => Texts> = {
  'password-changed': (siteName) => ({
    subject: `Your ${siteName} password was changed`,
    lead: 'Your password was changed and all other devices were logged out.',
    ...ifStranger,
  }),
  'password-reset': (siteName) => ({
    subject: `Your ${siteName} password was reset`,
    lead: 'Your password was reset with a link that we e-mailed, and every device was logged out.',
    ...ifStranger,
  }),
  'email-undone': (siteName) => ({
    subject: `The change of your ${siteName} e-mail address was undone`,
    lead: `The previous address of the ${siteName} account was restored, so it doesn’t use this one.`,
    advice: 'If you didn’t expect this, contact us.',
    button: { label: 'Contact us', path: '/contact' },
  }),
  'email-change-cancelled': (siteName) => ({
    subject: `Your ${siteName} e-mail address was not changed`,
    lead: `The password of the ${siteName} account was changed before you confirmed this address, so the account doesn’t use it. The link we sent you no longer works.`,
    advice: 'If you still want to use this address, change it again on your profile.',
    button: { label: 'Open your profile', path: '/profile' },
  }),
  'totp-on': (siteName) => ({
    subject: `Two-step login for ${siteName} is on`,
    lead: `You’ll now need a code from your authenticator app to log in to ${siteName}. Keep your recovery codes somewhere you can reach without your phone.`,
    ...ifStranger,
  }),
  'totp-off': (siteName) => ({
    subject: `Two-step login for ${siteName} is off`,
    lead: `You no longer need a code to log in to ${siteName}.`,
    ...ifStranger,
  }),
  'recovery-codes': (siteName) => ({
    subject: `New recovery codes for ${siteName}`,
    lead: `New recovery codes were generated for your ${siteName} account. The old ones no longer work.`,
    ...ifStranger,
  }),
  'passkey-added': (siteName) => ({
    subject: `A passkey was added to your ${siteName} account`,
    lead: `You can now log in to ${siteName} with a new passkey, without your password.`,
    advice: `${ifStranger.advice} All passkeys will be removed.`,
    button: toReset,
  }),
  'passkey-removed': (siteName) => ({
    subject: `A passkey was removed from your ${siteName} account`,
    lead: `It can no longer be used to log in to ${siteName}.`,
    ...ifStranger,
  }),
  'admin-grace': (siteName, day) => ({
    subject: `Protect your ${siteName} administrator account by ${day}`,
    lead: `Administrators of ${siteName} need two-step login or a passkey. You have until ${day}; after that, the admin pages stay closed until you have set one of them up.`,
    advice: 'Log in and open Settings, then Account. It takes two minutes.',
    button: { label: 'Open Settings', path: '/settings' },
  }),
  'helper-added': (siteName) => ({
    subject: `You’re now a helper of ${siteName}`,
    lead: `You can upload and edit mixes, tracklists, artists and letters of ${siteName}.`,
    advice: 'Everything is under “Admin Dashboard” in the menu, the next time you open the site.',
    button: { label: 'See the mixes', path: '/admin/tracks' },
  }),
  deleted: (siteName) => ({
    subject: `Your ${siteName} account has been deleted`,
    lead: 'As you asked, we’ve deleted your account and all your personal data. This can’t be undone.',
    advice: 'This is the last e-mail we’ll send you.',
  }),
};

type Recipient = { to: string; username: string };

type AccountMail = Recipient & {
  event: AccountEvent;
  /** When something ends that the message is about. */
  day?: string;
};

/** Tells the owner what changed, so that no one can change an account unnoticed. */
export function buildAccountMessage(site: MailSite, mail: AccountMail): MailMessage {
  const { to, username, event, day = '' } = mail;
  const { subject, lead, advice, button } = texts[event](site.siteName, day);
  return layOutMail(site, {
    to,
    username,
    subject,
    blocks: [lead, advice],
    ...(button && { button: { label: button.label, url: `${site.origin}${button.path}` } }),
  });
}

type ResetMail = Recipient & { link: string; minutes: number };

export const buildResetMessage = (site: MailSite, mail: ResetMail): MailMessage =>
  layOutMail(site, {
    to: mail.to,
    username: mail.username,
    subject: `Reset your ${site.siteName} password`,
    blocks: [`Someone (hopefully you) asked to reset your ${site.siteName} password.`],
    button: { label: 'Reset your password', url: mail.link },
    notes: [
      `The link works once and expires in ${mail.minutes} minutes.`,
      'If it wasn’t you, ignore this e-mail; your password won’t change.',
    ],
  });
