import { isLoopbackName } from '../../loopback.ts';
import { hashMessageKey, MailMessage, type Mail } from './mail.ts';

/** A server that does not answer must not hold a job for longer than its retry would take. */
const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 };

export function readSmtpUrl(text: string) {
  const { protocol, hostname, port, username, password } = new URL(text);
  const secure = protocol === 'smtps:';
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port ? Number(port) : secure ? 465 : 587,
    secure,
    // Never send a password without TLS: the network may be tapped, or an attacker may disable TLS.
    requireTLS: !secure && username !== '' && !isLoopbackName(hostname),
    ...(username
      ? { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }
      : {}),
  };
}

/** Loaded with the first message: the process that only serves pages has no use for it. */
async function connect(settings: ReturnType<typeof readSmtpUrl>) {
  const { createTransport } = await import('nodemailer');
  return createTransport({
    ...settings,
    pool: true,
    ...TIMEOUTS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

export function createSmtpMail(smtp: { url: string; from: string }): Mail {
  const domain = /@([^\s<>@]+)>?$/.exec(smtp.from)?.[1] ?? 'localhost';
  const settings = readSmtpUrl(smtp.url);
  let connecting: ReturnType<typeof connect> | null = null;
  return {
    async send(message) {
      const { to, subject, text, html, unsubscribeUrl, key } = MailMessage.parse(message);
      connecting ??= connect(settings);
      const transport = await connecting;
      await transport.sendMail({
        from: smtp.from,
        to: { name: '', address: to },
        subject,
        text,
        html,
        // Mail programs show two messages of one id as one.
        ...(key && { messageId: `<${hashMessageKey(key)}@${domain}>` }),
        ...(unsubscribeUrl && {
          list: { unsubscribe: unsubscribeUrl },
          headers: { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' },
        }),
      });
    },
    close() {
      void connecting?.then((transport) => transport.close());
    },
  };
}
