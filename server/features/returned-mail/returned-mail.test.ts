/** @module-tag both-databases */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { User } from '#contract/accounts.ts';
import type { ErrorBody } from '#contract/errors.ts';
import type { SubscriberPage } from '#contract/admin/subscribers.ts';
import { DAY, HOUR, MINUTE } from '#contract/rules/time.ts';
import { planMessage } from '../../jobs/send-once.ts';
import { openMailbox } from '../../ports/mail/mailbox.ts';
import { buildMessageId } from '../../ports/mail/message-ids.ts';
import { startImapServer, type TestImap } from '../../testing/imap-server.ts';
import { itOnSqlite } from '../../testing/on-sqlite.ts';
import { createAdmin } from '../../testing/test-admin.ts';
import { createTestApp, type TestApp } from '../../testing/test-app.ts';
import { openLink, readToken } from '../../testing/test-email.ts';
import { createUser, type TestUser } from '../../testing/test-user.ts';
import { readMailbox } from './jobs.ts';
import { fillReturned, type returnedMails } from './returned-samples.ts';

const SECRET = 'quiet-harbour-at-dawn';
const TO = 'thandi@example.com';
const KEY = 'letter:1:thandi';

let test: TestApp;
let admin: TestUser;
let thandi: TestUser;
beforeEach(async () => {
  test = await createTestApp({ config: { mailWebhookSecret: SECRET } });
  admin = await createAdmin(test);
  thandi = await createUser(test);
});
afterEach(() => test.close());

const idOf = async (key = KEY, to = TO) =>
  `<${await buildMessageId(test.deps.database.db, key, to)}@example.com>`;
const write = async (mail: keyof typeof returnedMails, more: { to?: string; id?: string } = {}) =>
  fillReturned(mail, { id: await idOf(), to: TO, ...more });

const readPage = async () =>
  (
    await admin.client.request({ url: `/api/admin/subscribers/${thandi.user.id}` })
  ).json<SubscriberPage>();
const readOwn = async () => (await thandi.client.request({ url: '/api/auth/me' })).json<User>();
const readPreferences = async () =>
  (await thandi.client.request({ url: '/api/me/preferences' })).json<object>();

describe('the webhook', () => {
  const post = (payload: object | string, secret = SECRET) =>
    test.app.inject({
      method: 'POST',
      url: '/api/webhooks/mail',
      payload,
      headers: {
        authorization: `Bearer ${secret}`,
        ...(typeof payload === 'string' && { 'content-type': 'message/rfc822' }),
      },
    });
  const outcomeOf = async (payload: object | string) =>
    (await post(payload)).json<{ outcome: string }>().outcome;

  it('stops mail to an address at which a mail of ours never arrives, and says so', async () => {
    const { db } = test.deps.database;
    const now = test.clock.now();
    await planMessage(db, { key: KEY, userId: thandi.user.id }, now);
    expect(await outcomeOf(await write('unknownUser'))).toBe('recorded');
    const reason =
      '550 5.1.1 <thandi@example.com>: Recipient address rejected: User unknown in virtual mailbox table';
    expect((await readPage()).mail).toEqual({
      stopped: { at: now, reason, source: 'webhook' },
      reports: [],
    });
    expect((await readOwn()).isEmailRefused).toBe(true);
    const sent = await db.selectFrom('sent_messages').select('bounced_at').execute();
    expect(sent).toEqual([{ bounced_at: now }]);
    await expect(
      test.deps.mail.send({ to: TO, subject: 'Hi', text: 'Hi', html: 'Hi' }),
    ).rejects.toThrow('refuses mail');
  });

  itOnSqlite.each(['full', 'delayed', 'blocked'] as const)(
    'only notes what isn’t about the address, or not for good: %s',
    async (mail) => {
      expect(await outcomeOf(await write(mail))).toBe('recorded');
      expect((await readPage()).mail).toMatchObject({
        stopped: null,
        reports: [{ kind: 'temporary' }],
      });
      expect((await readOwn()).isEmailRefused).toBeUndefined();
    },
  );

  it('ends the optional mails of a member who calls one spam, and nothing else', async () => {
    expect(await outcomeOf(await write('complaint'))).toBe('recorded');
    expect(await readPreferences()).toMatchObject({ releaseMails: false, newsMails: false });
    expect((await readPage()).mail).toMatchObject({
      stopped: null,
      reports: [{ kind: 'complaint', reason: 'Reported as spam (abuse)' }],
    });
  });

  itOnSqlite('knows the member behind an address to which their mail is forwarded', async () => {
    expect(await outcomeOf(await write('forwarded'))).toBe('recorded');
    expect((await readPage()).mail.stopped).not.toBeNull();
  });

  itOnSqlite.each([
    ['another’s mail', { key: KEY, to: 'sipho@example.com' }, 'not-ours'],
    ['a guess', null, 'not-ours'],
  ])('a forged report silences nobody: %s', async (_name, sent, outcome) => {
    const id = sent
      ? await idOf(sent.key, sent.to)
      : `<${'0'.repeat(32)}.${'0'.repeat(32)}@example.com>`;
    expect(await outcomeOf(await write('unknownUser', { id }))).toBe(outcome);
    expect((await readPage()).mail).toEqual({ stopped: null, reports: [] });
  });

  itOnSqlite('takes an absence note or anything else for what it is', async () => {
    for (const raw of [await write('absence'), await write('delivered'), '', '\0', 'a: b\r\n\r\n'])
      await outcomeOf(raw);
    expect((await readPage()).mail).toEqual({ stopped: null, reports: [] });
  });

  it('takes the word of a provider, with an address alone', async () => {
    const report = { address: 'Thandi@Example.com', kind: 'permanent', reason: 'hard\nbounce' };
    expect(await outcomeOf(report)).toBe('recorded');
    expect(await outcomeOf(report)).toBe('recorded');
    expect((await readPage()).mail.stopped?.reason).toBe('hard bounce');
    expect(await outcomeOf({ address: 'nobody@example.com', kind: 'complaint' })).toBe('recorded');
  });

  itOnSqlite.each([
    [{ address: 'thandi', kind: 'permanent' }, 'address'],
    [{ address: TO, kind: 'hard' }, 'kind'],
    [{ address: TO, kind: 'permanent', type: 'x' }, 'type'],
    [[], 'body'],
  ])('says what is wrong with %j', async (payload, field) => {
    const response = await post(payload);
    expect(response.statusCode).toBe(400);
    expect(Object.keys(response.json<ErrorBody>().fields ?? {})).toEqual([field]);
  });

  itOnSqlite(
    'is closed to everyone without the secret, and doesn’t exist without the setting',
    async () => {
      const report = { address: TO, kind: 'permanent' };
      for (const secret of ['', `${SECRET}x`, 'null', 'undefined'])
        expect((await post(report, secret)).statusCode).toBe(401);
      expect((await readPage()).mail.stopped).toBeNull();
      for (let n = 0; n < 60; n += 1) await post(report, 'guess');
      expect((await post(report, 'guess')).statusCode).toBe(429);
      expect((await post(report)).statusCode).toBe(200);
      const plain = await createTestApp();
      const request = { method: 'POST', url: '/api/webhooks/mail', payload: report } as const;
      expect((await plain.app.inject(request)).statusCode).toBe(404);
      await plain.close();
    },
  );

  it('an administrator lets mail go there again, or the member who gets a mail there', async () => {
    const stop = () => post({ address: TO, kind: 'permanent' });
    const url = `/api/admin/subscribers/${thandi.user.id}/refused-mail`;
    const lift = () => admin.client.request({ method: 'DELETE', url });
    await stop();
    expect((await lift()).statusCode).toBe(204);
    expect((await lift()).statusCode).toBe(204);
    expect((await readPage()).mail.stopped).toBeNull();
    const actions = await test.deps.database.db
      .selectFrom('audit_log')
      .select(['action', 'subject_id'])
      .where('action', '=', 'user.mail-started')
      .execute();
    expect(actions).toEqual([{ action: 'user.mail-started', subject_id: thandi.user.id }]);
    await stop();
    const link = await thandi.client.request({ method: 'POST', url: '/api/me/email/link' });
    expect(link.statusCode).toBe(204);
    await openLink(test, 'confirm', await readToken(test, TO));
    expect((await readOwn()).isEmailRefused).toBeUndefined();
  });
});

describe('the mailbox', () => {
  let imap: TestImap;
  beforeEach(async () => {
    imap = await startImapServer();
  });
  afterEach(() => imap.close());

  const read = async (signal = new AbortController().signal) => {
    const mailbox = await openMailbox(imap.url, signal);
    try {
      return await readMailbox(test.deps, mailbox, { name: 'returned', signal });
    } finally {
      await mailbox.close();
    }
  };
  const lift = () =>
    admin.client.request({
      method: 'DELETE',
      url: `/api/admin/subscribers/${thandi.user.id}/refused-mail`,
    });

  it('is read for reports about our mails, and everything else stays as it is', async () => {
    const arrivedAt = test.clock.now() - HOUR;
    const other = await write('unknownUser', { id: await idOf(KEY, 'sipho@example.com') });
    const mails = [await write('absence'), other, await write('unknownUser'), 'not a mail'];
    for (const raw of mails) imap.add(raw, arrivedAt);
    expect(await read()).toEqual({ recorded: 1, 'not-ours': 1, 'no-report': 2 });
    expect(imap.list().map(({ isRead }) => isRead)).toEqual([false, false, true, false]);
    expect((await readPage()).mail.stopped).toMatchObject({ at: arrivedAt, source: 'bounce' });
  });

  it('is read once: what was lifted since isn’t stopped again', async () => {
    imap.add(await write('unknownUser'), test.clock.now() - HOUR);
    await read();
    await lift();
    expect(await read()).toEqual({ recorded: 0, 'not-ours': 0, 'no-report': 0 });
    // As after a move of the mailbox to another server.
    imap.renumber(77);
    await read();
    expect((await readPage()).mail.stopped).toBeNull();
    imap.add(await write('unknownUser'), test.clock.now() + MINUTE);
    test.clock.advance(HOUR);
    await read();
    expect((await readPage()).mail.stopped).not.toBeNull();
  });

  it('goes on after a stop in the middle, and two that read it at once record each mail once', async () => {
    for (let n = 0; n < 6; n += 1) imap.add(await write('full'), test.clock.now() - HOUR + n);
    imap.add(await write('unknownUser'), test.clock.now());
    const results = await Promise.allSettled([read(), read()]);
    const problems = results.flatMap((result) =>
      result.status === 'rejected' ? [String(result.reason)] : [],
    );
    for (const problem of problems) expect(problem).toContain('Another worker reads this mailbox');
    const stopped = new AbortController();
    stopped.abort(new Error('The server stops.'));
    await read(stopped.signal).catch(() => undefined);
    await read();
    expect((await readPage()).mail).toMatchObject({
      stopped: { source: 'bounce' },
      reports: [{ kind: 'temporary' }],
    });
    expect(imap.list().every(({ isRead }) => isRead)).toBe(true);
  });

  itOnSqlite('leaves alone what came back long before it was set up', async () => {
    imap.add(await write('unknownUser'), test.clock.now() - 30 * DAY);
    expect(await read()).toMatchObject({ recorded: 0 });
  });

  itOnSqlite('says why it can’t be read', async () => {
    const open = (url: string) => openMailbox(url, new AbortController().signal);
    await expect(open(imap.url.replace('testpass', 'guess'))).rejects.toThrow(
      'The IMAP server refused: Login failed: authentication failure',
    );
    await expect(open(imap.url.replace('INBOX', 'Nowhere'))).rejects.toThrow(
      'The IMAP server refused: ',
    );
  });
});
