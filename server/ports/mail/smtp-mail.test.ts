import { connect, createServer, type AddressInfo } from 'node:net';
import type { Email } from 'postal-mime';
import { afterEach, describe, expect, it } from 'vitest';
import { parseConfig } from '../../config.ts';
import type { Db } from '../../db/connect.ts';
import { startFrozenProxy } from '../../testing/frozen-proxy.ts';
import { startSmtpServer, type TestSmtp } from '../../testing/smtp-server.ts';
import { describeMail } from '../../testing/mail-contract.ts';
import {
  createMail,
  createSmtpMail,
  MAIL_CONNECTIONS,
  readSmtpUrl,
  UncertainSend,
} from './mail.ts';

const from = 'Weekly Mixes <music@example.com>';
const message = { to: 'thandi@example.com', subject: 'Hello', text: 'Hi', html: '<p>Hi</p>' };

describeMail('SMTP', async () => {
  const { url, received, close } = await startSmtpServer();
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

let running: TestSmtp | undefined;
afterEach(async () => {
  await running?.close();
  running = undefined;
});

it('is used once SMTP_URL is set, and names the sender', async () => {
  running = await startSmtpServer();
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
  running = await startSmtpServer(
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
  running = await startSmtpServer({
    onRcptTo: (_address, _session, done) => done(new Error('mailbox full')),
  });
  const mail = createSmtpMail({ url: running.url, from });
  await expect(mail.send(message)).rejects.toThrow('mailbox full');
  mail.close();
});

it('rejects when there is no server', async () => {
  running = await startSmtpServer();
  const { url } = running;
  await running.close();
  const mail = createSmtpMail({ url, from });
  await expect(mail.send(message)).rejects.toThrow('ECONNREFUSED');
  mail.close();
});

const headerOf = (email: Email | undefined, key: string) =>
  email?.headers.find((header) => header.key === key)?.value;

it('says that a machine sends it, so that no absence note answers (RFC 3834)', async () => {
  running = await startSmtpServer();
  const mail = createSmtpMail({ url: running.url, from });
  await mail.send(message);
  await mail.send({ ...message, unsubscribeUrl: 'https://music.example.com/unsubscribe' });
  mail.close();
  const marks = (await running.received()).map((email) => headerOf(email, 'auto-submitted'));
  expect(marks).toEqual(['auto-generated', 'auto-generated']);
});

it('adds one-click unsubscribe headers to messages that have an unsubscribe link', async () => {
  const { url, received, close } = await startSmtpServer();
  const mail = createSmtpMail({ url, from });
  const unsubscribeUrl = 'https://music.example.com/api/unsubscribe/releases.x.y';
  await mail.send({ ...message, unsubscribeUrl });
  await mail.send(message);
  const [marked, plain] = await received();
  expect(headerOf(marked, 'list-unsubscribe')).toBe(`<${unsubscribeUrl}>`);
  expect(headerOf(marked, 'list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click');
  expect(headerOf(plain, 'list-unsubscribe')).toBeUndefined();
  mail.close();
  await close();
});

it('keeps the id of a message that is sent again, and the id identifies no one', async () => {
  const { url, received, close } = await startSmtpServer();
  const mail = createSmtpMail({ url, from });
  await mail.send({ ...message, key: 'thandi:receipt:1' });
  await mail.send({ ...message, key: 'thandi:receipt:1' });
  const [first, second] = await received();
  expect(first?.messageId).toMatch(/^<[0-9a-f]{32}@[\w.-]+>$/);
  expect(headerOf(first, 'x-original-message-id')).toBe(first?.messageId);
  expect(second?.messageId).toBe(first?.messageId);
  mail.close();
  await close();
});

it('is returned to the address from the settings, and still comes from the sender', async () => {
  const envelopes: unknown[] = [];
  running = await startSmtpServer({
    onMailFrom: ({ address }, _session, done) => {
      envelopes.push(address);
      done();
    },
  });
  const mail = createSmtpMail({ url: running.url, from, returnPath: 'returned@example.com' });
  await mail.send(message);
  mail.close();
  expect(envelopes).toEqual(['returned@example.com']);
  expect((await running.received())[0]?.from?.address).toBe('music@example.com');
});

it('sends nothing when the note just before the last line can’t be written', async () => {
  running = await startSmtpServer();
  const mail = createSmtpMail({ url: running.url, from });
  const refuse = () => Promise.reject(new Error('The database is gone.'));
  await expect(mail.send(message, { beforeHandOver: refuse })).rejects.toThrow('database is gone');
  expect(await running.received()).toEqual([]);
  await mail.send(message);
  expect(await running.received()).toHaveLength(1);
  mail.close();
});

it('says that nobody knows when the server takes the message and ends the connection', async () => {
  running = await startSmtpServer({ onReceived: () => false });
  const mail = createSmtpMail({ url: running.url, from });
  await expect(mail.send(message)).rejects.toThrow(UncertainSend);
  expect(await running.received()).toHaveLength(1);
  mail.close();
});

describe('a mail server that accepts connections and says nothing', () => {
  const NEVER = 600_000;
  const portOf = (url: string) => Number(new URL(url).port);

  it('is given up at its first line, and used again when it speaks', async () => {
    running = await startSmtpServer();
    const proxy = await startFrozenProxy({ port: portOf(running.url) });
    const limits = { connectMs: 1500, silenceMs: NEVER, totalMs: NEVER };
    const mail = createSmtpMail({ url: `smtp://127.0.0.1:${proxy.port}`, from }, limits);
    proxy.freezeNew(true);
    const sending = Array.from({ length: MAIL_CONNECTIONS }, () => mail.send(message));
    for (const one of await Promise.allSettled(sending))
      expect(one).toMatchObject({ status: 'rejected', reason: { code: 'ETIMEDOUT' } });
    proxy.freezeNew(false);
    await mail.send(message);
    expect(await running.received()).toHaveLength(1);
    mail.close();
    await proxy.close();
  });

  it('is given up in the middle of its work too', async () => {
    running = await startSmtpServer();
    const proxy = await startFrozenProxy({ port: portOf(running.url) });
    const limits = { connectMs: NEVER, silenceMs: 1500, totalMs: NEVER };
    const mail = createSmtpMail({ url: `smtp://127.0.0.1:${proxy.port}`, from }, limits);
    await mail.send(message);
    proxy.freezeOpen();
    proxy.freezeNew(true);
    await expect(mail.send(message)).rejects.toThrow(/timeout/i);
    mail.close();
    await proxy.close();
  });

  it('is given up even if it says a letter now and then, and keeps no connection', async () => {
    running = await startSmtpServer();
    const target = portOf(running.url);
    let isDripping = true;
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      if (!isDripping) {
        const inner = connect(target, '127.0.0.1').on('error', () => socket.destroy());
        socket.pipe(inner).pipe(socket);
        return;
      }
      const drip = setInterval(() => socket.write('2'), 5);
      socket.on('close', () => clearInterval(drip));
    });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const { port } = server.address() as AddressInfo;
    const limits = { connectMs: NEVER, silenceMs: NEVER, totalMs: 2000 };
    const mail = createSmtpMail({ url: `smtp://127.0.0.1:${port}`, from }, limits);
    const sending = Array.from({ length: MAIL_CONNECTIONS }, () => mail.send(message));
    for (const one of await Promise.allSettled(sending))
      expect(one).toMatchObject({ reason: { message: 'The mail server timed out.' } });
    isDripping = false;
    await mail.send(message);
    expect(await running.received()).toHaveLength(1);
    mail.close();
    server.close();
  });
});
