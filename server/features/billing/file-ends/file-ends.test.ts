/** @module-tag both-databases */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AuditEntry } from '#contract/admin/audit.ts';
import type { FileEndsState } from '#contract/admin/file-ends.ts';
import type { User } from '#contract/accounts.ts';
import type { ErrorBody } from '#contract/errors.ts';
import type { Page } from '#contract/paging.ts';
import { NO_ENDS, type FileEnds } from '#contract/rules/allowed-files.ts';
import { DAY, HOUR } from '#contract/rules/time.ts';
import type { MailMessage } from '../../../ports/mail/mail.ts';
import { enqueue } from '../../../jobs/queue.ts';
import { createAdmin } from '../../../testing/test-admin.ts';
import { buildApp } from '../../../app.ts';
import {
  cookieOf,
  createTestApp,
  type TestApp,
  type TestClient,
} from '../../../testing/test-app.ts';
import type { TestDatabase } from '../../../testing/test-database.ts';
import { payingClient } from '../../../testing/test-payments.ts';
import {
  createSubscriber,
  createUser,
  PASSWORD,
  type TestUser,
} from '../../../testing/test-user.ts';
import { tellFileChange } from './jobs.ts';

let test: TestApp;
let admin: TestUser;
let sipho: TestUser;
let sent: MailMessage[];

const logInAgain = (client: TestClient, username: string) =>
  client.request({
    method: 'POST',
    url: '/api/auth/login',
    payload: { username, password: PASSWORD },
  });

beforeEach(async () => {
  sent = [];
  const mail = {
    send: async (message: MailMessage) => void sent.push(message),
    close: () => undefined,
  };
  test = await createTestApp({ mail });
  admin = await createAdmin(test, 'boss');
  sipho = await createSubscriber(test);
  await createUser(test, 'free');
  await takeMails();
});
afterEach(() => test.close());

const read = async () =>
  (await admin.client.request({ url: '/api/admin/file-ends' })).json<FileEndsState>();

type Input = Partial<FileEnds> & { reason?: string };

async function ask(input: Input, client = admin.client) {
  test.clock.advance(1);
  const { downloadsEnd, losslessEnd, savingEnd, version } = await read();
  const payload = { downloadsEnd, losslessEnd, savingEnd, version, ...input };
  return client.request({ method: 'PUT', url: '/api/admin/file-ends', payload });
}

async function set(input: Input): Promise<FileEndsState> {
  const answer = await ask(input);
  expect(answer.body).toContain('downloadsEnd');
  return answer.json<FileEndsState>();
}

const refuse = async (input: Input) => (await ask(input)).json<ErrorBody>();

async function takeMails() {
  await test.worker.runDue();
  const found = sent.map(({ to, subject, text }) => ({ to, subject, text }));
  sent = [];
  return found;
}

const inDays = (days: number) => test.clock.now() + days * DAY;

describe('an end of downloads', () => {
  it('is told to everyone who has access, once, and to nobody else', async () => {
    const state = await set({ downloadsEnd: inDays(30) });
    expect(state).toMatchObject({ subscribers: 1, lastChange: { members: 1, told: 0 } });
    const [mail, ...others] = await takeMails();
    expect(others).toEqual([]);
    expect(mail?.to).toBe(sipho.user.email);
    expect(mail?.subject).toMatch(/^Downloads end on \d+ \w+ 20\d\d on Weekender$/);
    for (const word of ['downloaded by then stays with you', 'cancel', 'refund policy'])
      expect(mail?.text).toContain(word);
    expect(await read()).toMatchObject({ lastChange: { members: 1, told: 1 } });
    await createSubscriber(test, 'later');
    test.clock.advance(31 * DAY);
    expect(await takeMails()).toEqual([]);
  });

  it('is told once, also if the job is killed and starts again', async () => {
    const second = await createSubscriber(test, 'second');
    await takeMails();
    await set({ downloadsEnd: inDays(30) });
    const { db } = test.deps.database;
    const [change] = await db.selectFrom('file_changes').select('id').execute();
    await test.worker.runDue();
    // Even where the row of a member doesn’t say it yet, the e-mail itself is known.
    await db
      .updateTable('file_change_members')
      .set({ told_at: null })
      .where('user_id', '=', second.user.id)
      .execute();
    await db.deleteFrom('jobs').execute();
    const payload = { changeId: change?.id ?? '' };
    await db
      .transaction()
      .execute((tx) => enqueue(tx, tellFileChange, payload, { now: test.clock.now() }));
    await test.worker.runDue();
    const to = sent.map((mail) => mail.to);
    expect(to.filter((address) => address === sipho.user.email)).toHaveLength(1);
    expect(to.filter((address) => address === second.user.email)).toHaveLength(1);
  });

  it('that comes earlier than promised is told again, and needs a reason if it is near', async () => {
    await set({ downloadsEnd: inDays(60) });
    await takeMails();
    await set({ downloadsEnd: inDays(20) });
    expect((await takeMails())[0]?.subject).toMatch(/^Downloads end on/);
    expect(await refuse({ downloadsEnd: inDays(10) })).toMatchObject({ code: 'reason_needed' });
  });

  it('is told again with another date, and when it is taken back', async () => {
    await set({ downloadsEnd: inDays(30) });
    await takeMails();
    await createSubscriber(test, 'later');
    await takeMails();
    await set({ downloadsEnd: inDays(60) });
    const again = await takeMails();
    expect(again.map(({ to }) => to).toSorted()).toEqual([
      'later@example.com',
      'sipho@example.com',
    ]);
    await set({ downloadsEnd: null });
    const [back] = await takeMails();
    expect(back?.subject).toBe('Downloads stay on Weekender');
    expect(back?.text).toContain('we told you that they would end, and they won’t');
  });

  it('that is overtaken before anyone heard of it is told as one change, or not at all', async () => {
    await set({ downloadsEnd: inDays(30) });
    await set({ downloadsEnd: inDays(60), savingEnd: inDays(20) });
    const [mail, ...others] = await takeMails();
    expect(others).toEqual([]);
    expect(mail?.subject).toMatch(/^Downloads end/);
    expect(mail?.text).toMatch(/Offline copies end on/);
    const { downloadsEnd } = await read();
    await set({ downloadsEnd: inDays(90) });
    await set({ downloadsEnd });
    expect(await takeMails()).toEqual([]);
  });

  it('says one thing about MP3 and lossless files that end together', async () => {
    await set({ downloadsEnd: inDays(30), losslessEnd: inDays(30) });
    const [mail] = await takeMails();
    expect(mail?.text).not.toContain('Lossless');
    await set({ losslessEnd: inDays(40) });
    expect(await takeMails()).toEqual([]);
    await set({ losslessEnd: inDays(20) });
    expect((await takeMails())[0]?.subject).toMatch(/^Lossless downloads end on/);
  });

  it('needs a reason if subscribers hear of it less than 14 days ahead', async () => {
    for (const downloadsEnd of [0, test.clock.now(), inDays(13)])
      expect(await refuse({ downloadsEnd })).toMatchObject({
        code: 'reason_needed',
        fields: { reason: expect.any(String) as string },
      });
    expect(await refuse({ downloadsEnd: 0, reason: '  ' })).toMatchObject({
      code: 'reason_needed',
    });
    expect(await read()).toMatchObject(NO_ENDS);
    expect(await takeMails()).toEqual([]);
    const state = await set({ downloadsEnd: 0, reason: 'The licence ended yesterday.' });
    expect(state.downloadsEnd).toBe(test.clock.now());
    expect((await takeMails())[0]?.subject).toBe('Downloads have ended on Weekender');
    const log = await admin.client.request({ url: '/api/admin/audit' });
    expect(log.json<Page<AuditEntry>>().items[0]).toMatchObject({
      action: 'file-ends.changed',
      reason: 'The licence ended yesterday.',
    });
  });

  it('needs no reason without subscribers, or if it takes nothing away', async () => {
    await set({ savingEnd: inDays(16) });
    await set({ savingEnd: inDays(15) });
    test.clock.advance(12 * DAY);
    await logInAgain(admin.client, 'boss');
    await set({ savingEnd: inDays(20) });
    expect(await refuse({ savingEnd: inDays(3) })).toMatchObject({ code: 'reason_needed' });
    await set({ savingEnd: null });
    const { db } = test.deps.database;
    await db.updateTable('users').set({ paid_through: null }).execute();
    expect((await set({ savingEnd: 0 })).subscribers).toBe(0);
  });

  it('is refused too far ahead, as no time, from an old page and from anyone else', async () => {
    expect(await refuse({ downloadsEnd: inDays(2000) })).toMatchObject({
      fields: { downloadsEnd: 'Choose a date within the next three years.' },
    });
    for (const downloadsEnd of ['soon', -1, 1.5, 1e20] as never[])
      expect(await refuse({ downloadsEnd })).toMatchObject({ code: 'validation_failed' });
    const stale = await ask({ downloadsEnd: inDays(30), version: 77 } as Input);
    expect(stale.json<ErrorBody>().code).toBe('settings_changed');
    const stranger = await ask({ downloadsEnd: inDays(30) }, sipho.client);
    expect(stranger.statusCode).toBe(404);
    expect(await read()).toMatchObject(NO_ENDS);
  });

  it('is told after a clock was set back, too', async () => {
    await set({ savingEnd: inDays(30) });
    await takeMails();
    test.clock.advance(-HOUR);
    const state = await set({ downloadsEnd: inDays(30) });
    expect(state.lastChange).toEqual({ at: test.clock.now(), members: 1, told: 0 });
    expect((await takeMails()).map(({ subject }) => subject)).toEqual([
      expect.stringMatching(/^Downloads end on/),
    ]);
  });

  it('is told to whoever pays on a page from before, and to nobody who could read it first', async () => {
    const early = payingClient(test, await createUser(test, 'early'));
    const { checkoutId, reference } = await early.begin('monthly');
    await set({ savingEnd: inDays(40) });
    await takeMails();
    await set({ downloadsEnd: inDays(30) });
    await takeMails();
    test.clock.advance(HOUR);
    const late = payingClient(test, await createUser(test, 'late'));
    await late.buy('monthly');
    await test.sandbox.pay(checkoutId, { card: 'success' });
    await early.confirm(reference);
    await takeMails().then((mails) => {
      const told = mails.filter(({ subject }) => subject.startsWith('Downloads end on'));
      expect(told.map(({ to }) => to)).toEqual(['early@example.com']);
      expect(told[0]?.text).toMatch(/Offline copies end on/);
    });
    expect(await read()).toMatchObject({ lastChange: { members: 2, told: 2 } });
    await early.confirm(reference);
    expect(await takeMails()).toEqual([]);
  });

  it('reaches open pages when it is decided and when it comes', async () => {
    const { db } = test.deps.database;
    const takeSignals = async () => {
      const rows = await db.deleteFrom('signals').returning('topic').execute();
      return rows.filter(({ topic }) => topic === 'everyone/mixes').length;
    };
    const end = inDays(15);
    await set({ downloadsEnd: end });
    expect(await takeSignals()).toBe(1);
    await test.worker.runDue();
    test.clock.advance(15 * DAY);
    await test.worker.runDue();
    expect(await takeSignals()).toBe(1);
    await logInAgain(sipho.client, 'sipho');
    const me = await sipho.client.request({ url: '/api/auth/me' });
    expect(me.json<User>().fileEnds?.downloadsEnd).toBe(end);
  });
});

describe('on another server of the site', () => {
  let other: Awaited<ReturnType<typeof buildApp>>;
  const askOther = (client: TestClient, url: string, payload?: object) => {
    const cookies = Object.fromEntries(client.cookies);
    return payload
      ? other.inject({ method: 'PUT', url, cookies, payload })
      : other.inject({ url, cookies });
  };
  const readThere = async () =>
    (await askOther(admin.client, '/api/admin/file-ends')).json<FileEndsState>();
  const readEndOfSipho = async () =>
    (await askOther(sipho.client, '/api/auth/me')).json<User>().fileEnds?.downloadsEnd;

  beforeEach(async () => {
    const database = (test.deps.database as TestDatabase).connectAgain();
    other = await buildApp({ ...test.deps, database });
    // It remembers for some seconds what the settings were.
    await readEndOfSipho();
  });
  afterEach(() => other.close());

  it('an end is known to whoever saves there, who can’t undo it unawares', async () => {
    const before = await readThere();
    const { downloadsEnd } = await set({ downloadsEnd: 0, reason: 'The licence ended.' });
    const { subscribers: _count, lastChange: _last, now: _now, ...state } = await readThere();
    expect(state).toEqual({ version: 1, downloadsEnd, losslessEnd: null, savingEnd: null });
    const end = { losslessEnd: inDays(20) };
    const saved = await askOther(admin.client, '/api/admin/file-ends', { ...state, ...end });
    expect(saved.json()).toMatchObject({ version: 2, downloadsEnd, ...end });
    const { version, savingEnd, losslessEnd } = before;
    const old = { version, savingEnd, losslessEnd, downloadsEnd: null };
    const undone = await askOther(admin.client, '/api/admin/file-ends', old);
    expect(undone.json<ErrorBody>().code).toBe('settings_changed');
  });

  it('open pages hear of an end when they can read it', async () => {
    const origin = await other.listen({ host: '127.0.0.1', port: 0 });
    const headers = { cookie: cookieOf(sipho.client) };
    const { body } = await fetch(`${origin}/api/live`, { headers });
    const signals = body!.pipeThrough(new TextDecoderStream());
    const end = inDays(15);
    await set({ downloadsEnd: end });
    for await (const text of signals) if (text.includes('me/mixes')) break;
    expect(await readEndOfSipho()).toBe(end);
  });
});
