import { hash } from 'node:crypto';
import { z } from 'zod';
import { Email } from '#contract/accounts.ts';
import type { Db } from '../../db/connect.ts';
import { newId } from '../../ids.ts';
import { isLoopbackName } from '../../loopback.ts';
import type { Config } from '../../config.ts';

const line = z
  .string()
  .max(200)
  .regex(/^\P{Cc}+$/u, 'Must be one line without control characters.');

/** One recipient and one line of subject: there is no room for a header that was not meant. */
export const MailMessage = z.strictObject({
  to: Email,
  subject: line,
  text: z.string().min(1),
  html: z.string().min(1),
  /** Where one click, or the mail program itself, unsubscribes (RFC 8058). */
  unsubscribeUrl: z.url().optional(),
  /** Names the message, so that one sent again after a crash is recognised as the same. */
  key: z.string().min(1).max(300).optional(),
});
export type MailMessage = z.infer<typeof MailMessage>;

/** Of the key only this leaves: it may name people. */
const hashMessageKey = (key: string): string => hash('sha256', key, 'hex').slice(0, 32);

export type Mail = {
  /** Resolves once the message is handed over; rejects when it was not, so that a job tries again. */
  send: (message: MailMessage) => Promise<void>;
  close: () => void;
};

/** Keeps messages where the operator can read them, for as long as no SMTP server is set. */
export function createOutboxMail(db: Db, clock: { now: () => number }): Mail {
  return {
    async send(message) {
      const { to, subject, text, html, key } = MailMessage.parse(message);
      const now = clock.now();
      await db
        .insertInto('outbox')
        .values({
          id: key ? hashMessageKey(key) : newId(now),
          recipient: to,
          subject,
          body_text: text,
          body_html: html,
          created_at: now,
        })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    },
    close() {},
  };
}

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

export const createMail = (config: Config, db: Db, clock: { now: () => number }): Mail =>
  config.smtp ? createSmtpMail(config.smtp) : createOutboxMail(db, clock);
