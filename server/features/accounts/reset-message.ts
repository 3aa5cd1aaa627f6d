import { escapeHtml } from '../../http/escape-html.ts';
import type { MailMessage } from '../../ports/mail/mail.ts';

type ResetMail = { to: string; username: string; siteName: string; link: string; minutes: number };

export function writeResetMessage(mail: ResetMail): MailMessage {
  const { to, username, siteName, link, minutes } = mail;
  const lead = `Somebody, hopefully you, asked to set a new password for ${siteName}.`;
  const limit = `The link works once, for ${minutes} minutes.`;
  const ignore = 'If it was not you, ignore this message: your password stays as it is.';
  return {
    to,
    subject: `Set a new password for ${siteName}`,
    text: [`Hello ${username},`, lead, link, limit, ignore].join('\n\n') + '\n',
    html: [
      '<!doctype html><html lang="en"><body style="font-family:sans-serif;line-height:1.5">',
      `<p>Hello ${escapeHtml(username)},</p>`,
      `<p>${escapeHtml(lead)}</p>`,
      `<p><a href="${escapeHtml(link)}">Set a new password</a></p>`,
      `<p>${limit}</p><p>${ignore}</p>`,
      '</body></html>',
    ].join('\n'),
  };
}
