import type { AddressInfo } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { afterEach, expect, it } from 'vitest';
import { parseConfig } from '../../config.ts';
import type { Db } from '../../db/connect.ts';
import { describeMail } from '../../testing/mail-contract.ts';
import { createMail, createSmtpMail, readSmtpUrl } from './mail.ts';

type Running = {
  url: string;
  received: () => Promise<Email[]>;
  close: () => Promise<void>;
};

/** A real SMTP server on the loopback address. */
async function startServer(options: SMTPServerOptions = {}, login = ''): Promise<Running> {
  const raw: Buffer[] = [];
  const server = new SMTPServer({
    authOptional: true,
    hideSTARTTLS: true,
    allowInsecureAuth: true,
    logger: false,
    onData: (stream, _session, done) => {
      const parts: Buffer[] = [];
      stream.on('data', (part: Buffer) => parts.push(part));
      stream.on('end', () => {
        raw.push(Buffer.concat(parts));
        done();
      });
    },
    ...options,
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://${login}127.0.0.1:${port}`,
    received: () => Promise.all(raw.map((bytes) => PostalMime.parse(bytes))),
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

const from = 'Weekly Mixes <music@example.com>';
const message = { to: 'thandi@example.com', subject: 'Hello', text: 'Hi', html: '<p>Hi</p>' };

describeMail('SMTP', async () => {
  const { url, received, close } = await startServer();
  return {
    mail: createSmtpMail({ url, from }),
    close,
    received: async () =>
      (await received()).map((email) => ({
        to: email.to?.[0]?.address ?? '',
        subject: email.subject ?? '',
        text: email.text ?? '',
        html: email.html ?? '',
      })),
  };
});

let running: Running | undefined;
afterEach(async () => {
  await running?.close();
  running = undefined;
});

it('is used once SMTP_URL is set, and names the sender', async () => {
  running = await startServer();
  const config = { ...parseConfig({}), smtp: { url: running.url, from } };
  // There is no database, and so no outbox.
  const mail = createMail(config, {} as Db, { now: () => 0 });
  await mail.send(message);
  mail.close();
  expect((await running.received())[0]).toMatchObject({
    from: { name: 'Weekly Mixes', address: 'music@example.com' },
    to: [{ address: 'thandi@example.com' }],
  });
});

it('logs in with the username and password from the setting', async () => {
  const seen: string[] = [];
  running = await startServer(
    {
      authOptional: false,
      onAuth: ({ username, password }, _session, done) => {
        seen.push(`${username} ${password}`);
        done(null, { user: username ?? '' });
      },
    },
    `music%40example.com:p%2Fss%20word@`,
  );
  const mail = createSmtpMail({ url: running.url, from });
  await mail.send(message);
  mail.close();
  expect(seen).toEqual(['music@example.com p/ss word']);
  expect(await running.received()).toHaveLength(1);
});

it.each([
  ['smtp://u:p@mail.example', { port: 587, secure: false, requireTLS: true }],
  ['smtp://mail.example', { port: 587, secure: false, requireTLS: false }],
  ['smtp://u:p@127.0.0.1:25', { port: 25, secure: false, requireTLS: false }],
  ['smtp://u:p@localhost', { secure: false, requireTLS: false }],
  ['smtp://u:p@[::1]', { host: '::1', requireTLS: false }],
  ['smtps://u:p@mail.example', { port: 465, secure: true, requireTLS: false }],
])('sends a password over the network only with TLS: %s', (url, expected) => {
  expect(readSmtpUrl(url)).toMatchObject(expected);
});

it('rejects when the server refuses the message, so that it is retried', async () => {
  running = await startServer({
    onRcptTo: (_address, _session, done) => done(new Error('mailbox full')),
  });
  const mail = createSmtpMail({ url: running.url, from });
  await expect(mail.send(message)).rejects.toThrow('mailbox full');
  mail.close();
});

it('rejects when there is no server', async () => {
  running = await startServer();
  const { url } = running;
  await running.close();
  const mail = createSmtpMail({ url, from });
  await expect(mail.send(message)).rejects.toThrow('ECONNREFUSED');
  mail.close();
});

it('adds one-click unsubscribe headers to messages that have an unsubscribe link', async () => {
  const { url, received, close } = await startServer();
  const mail = createSmtpMail({ url, from });
  const unsubscribeUrl = 'https://music.example.com/api/unsubscribe/releases.x.y';
  await mail.send({ ...message, unsubscribeUrl });
  await mail.send(message);
  const [marked, plain] = await received();
  const headerOf = (email: Email | undefined, key: string) =>
    email?.headers.find((header) => header.key === key)?.value;
  expect(headerOf(marked, 'list-unsubscribe')).toBe(`<${unsubscribeUrl}>`);
  expect(headerOf(marked, 'list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click');
  expect(headerOf(plain, 'list-unsubscribe')).toBeUndefined();
  mail.close();
  await close();
});

it('keeps the id of a message that is sent again, and the id identifies no one', async () => {
  const { url, received, close } = await startServer();
  const mail = createSmtpMail({ url, from });
  await mail.send({ ...message, key: 'thandi:receipt:1' });
  await mail.send({ ...message, key: 'thandi:receipt:1' });
  const [first, second] = await received();
  expect(first?.messageId).toMatch(/^<[0-9a-f]{32}@[\w.-]+>$/);
  expect(second?.messageId).toBe(first?.messageId);
  mail.close();
  await close();
});
