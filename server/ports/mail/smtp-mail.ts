import { createTransport } from 'nodemailer';
import { MailMessage, type Mail } from './mail.ts';

/** A server that does not answer must not hold a job for longer than its retry would take. */
const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 };

export function createSmtpMail(smtp: { url: string; from: string }): Mail {
  const { protocol, hostname, port, username, password } = new URL(smtp.url);
  const secure = protocol === 'smtps:';
  const transport = createTransport({
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port ? Number(port) : secure ? 465 : 587,
    secure,
    pool: true,
    ...(username
      ? { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }
      : {}),
    ...TIMEOUTS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    async send(message) {
      const { to, subject, text, html } = MailMessage.parse(message);
      await transport.sendMail({
        from: smtp.from,
        to: { name: '', address: to },
        subject,
        text,
        html,
      });
    },
    close() {
      transport.close();
    },
  };
}
