import { Readable } from 'node:stream';
import { z } from 'zod';
import { Email } from '#contract/accounts.ts';
import type { Db } from '../../db/connect.ts';
import { newId } from '../../db/ids.ts';
import { isLoopbackName } from '../../loopback.ts';
import type { Config } from '../../config.ts';
import { hashMessageKey } from './message-ids.ts';

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

export type SendOptions = {
  /**
   * Called at the last moment before the message counts as sent: all of it has been transferred, and
   * only the line that ends it is missing. If it rejects, nothing is sent.
   */
  beforeHandOver?: () => Promise<void>;
  /**
   * It is tried even at an address that refused earlier ones: someone has just asked for it, or it
   * protects their account.
   */
  triesRefused?: boolean;
  /** The part of the Message-ID before the @; without it, it is made of the key. */
  messageId?: string;
};

/** The mail server was given the whole message and then fell silent: it may or may not have it. */
export class UncertainSend extends Error {
  override name = 'UncertainSend';
}

export type Mail = {
  /**
   * Resolves once the message is handed over. Rejects when it was not, so that a job tries again, or
   * with `UncertainSend` when nobody can know.
   */
  send: (message: MailMessage, options?: SendOptions) => Promise<void>;
  close: () => void;
};

/** Keeps messages where the operator can read them, for as long as no SMTP server is set. */
export function createOutboxMail(db: Db, clock: { now: () => number }): Mail {
  return {
    async send(message, { beforeHandOver } = {}) {
      const { to, subject, text, html, key } = MailMessage.parse(message);
      const now = clock.now();
      await beforeHandOver?.();
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
const LIMITS = {
  /** Until there is a connection, and again until the server's first line. */
  connectMs: 10_000,
  silenceMs: 20_000,
  /** One that answers a letter at a time never counts as silent. */
  totalMs: 60_000,
};
type Limits = typeof LIMITS;
/** One for each job that may be sending, and one for the test of the settings: none waits for another. */
export const MAIL_CONNECTIONS = 7;

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
async function connect(settings: ReturnType<typeof readSmtpUrl>, { connectMs, silenceMs }: Limits) {
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({
    ...settings,
    pool: true,
    maxConnections: MAIL_CONNECTIONS,
    // Once, for a connection that the server had closed meanwhile.
    maxRequeues: 1,
    dnsTimeout: connectMs,
    connectionTimeout: connectMs,
    greetingTimeout: connectMs,
    socketTimeout: silenceMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  transport.use('stream', (mail, done) => {
    const { beforeHandOver } = mail.data as SendOptions;
    if (beforeHandOver) mail.message.processFunc((message) => holdEnd(message, beforeHandOver));
    done();
  });
  return transport;
}

/**
 * Passes everything on, and its end only after the callback: the end of the stream is the final dot.
 * It is read only after the server has agreed to take the message.
 */
const holdEnd = (message: Readable, beforeEnd: () => Promise<void>) =>
  Readable.from(
    (async function* passOn() {
      yield* message as AsyncIterable<Buffer>;
      await beforeEnd();
    })(),
  );

type Transport = Awaited<ReturnType<typeof connect>>;

class TooSlow extends Error {
  override name = 'TooSlow';
}

async function sendWithin(
  transport: Transport,
  mail: Parameters<Transport['sendMail']>[0] & SendOptions,
  limitMs: number,
) {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new TooSlow('The mail server timed out.')), limitMs);
  });
  try {
    await Promise.race([transport.sendMail(mail), limit]);
  } finally {
    clearTimeout(timer);
  }
}

type SmtpSettings = {
  url: string;
  from: string;
  /** Where mail servers return what doesn’t arrive, instead of to the sender. */
  returnPath?: string;
};

export function createSmtpMail(smtp: SmtpSettings, limits: Limits = LIMITS): Mail {
  const domain = /@([^\s<>@]+)>?$/.exec(smtp.from)?.[1] ?? 'localhost';
  const settings = readSmtpUrl(smtp.url);
  let connecting: ReturnType<typeof connect> | null = null;
  return {
    async send(message, { beforeHandOver, messageId } = {}) {
      const { to, subject, text, html, unsubscribeUrl, key } = MailMessage.parse(message);
      const id = messageId ?? (key && hashMessageKey(key));
      connecting ??= connect(settings, limits);
      const transport = await connecting;
      let isEnding = false;
      let isGivenUp = false;
      const handOver = async () => {
        if (isGivenUp || isEnding) throw new Error('The message was given up, or is being sent.');
        await beforeHandOver?.();
        isEnding = true;
      };
      const mail = {
        from: smtp.from,
        to: { name: '', address: to },
        ...(smtp.returnPath !== undefined && { envelope: { from: smtp.returnPath, to } }),
        subject,
        text,
        html,
        // Mail programs show two messages of one id as one.
        ...(id && { messageId: `<${id}@${domain}>` }),
        ...(unsubscribeUrl && { list: { unsubscribe: unsubscribeUrl } }),
        headers: {
          // Nobody's absence note should answer a machine (RFC 3834).
          'Auto-Submitted': 'auto-generated',
          // Some servers replace the id. A report about the mail has this one.
          ...(id && { 'X-Original-Message-ID': `<${id}@${domain}>` }),
          ...(unsubscribeUrl && { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }),
        },
        beforeHandOver: handOver,
      };
      try {
        await sendWithin(transport, mail, limits.totalMs);
      } catch (error) {
        isGivenUp = true;
        // Its connection is still busy, and the next message must not wait for it.
        if (error instanceof TooSlow && (await connecting) === transport) {
          connecting = null;
          transport.close();
        }
        const isAnswered = Number((error as { responseCode?: unknown }).responseCode) > 0;
        if (!isEnding || isAnswered) throw error;
        throw new UncertainSend('The mail server didn’t confirm the message.', { cause: error });
      }
    },
    close() {
      void connecting?.then((transport) => transport.close());
    },
  };
}

export const createMail = (config: Config, db: Db, clock: { now: () => number }): Mail =>
  config.smtp ? createSmtpMail(config.smtp) : createOutboxMail(db, clock);
