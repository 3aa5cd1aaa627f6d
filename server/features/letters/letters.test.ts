/** @module-tag both-databases */
import { generateRssFeed, parseRssFeed } from 'feedsmith';
import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { AdminLetter, LetterItem, LetterReach } from '#contract/admin/letters.ts';
import type { Week } from '#contract/admin/week.ts';
import type { ErrorBody } from '#contract/errors.ts';
import type { Letter, LetterSummary } from '#contract/letters.ts';
import { lookFileName } from '#contract/look.ts';
import type { Page } from '#contract/paging.ts';
import { DAY, HOUR, MINUTE } from '#contract/rules/time.ts';
import { buildUser } from '../../db/build-rows.ts';
import { changeSettings } from '../../db/settings.ts';
import { UncertainSend, type MailMessage, type SendOptions } from '../../ports/mail/mail.ts';
import { forgetRefusal, recordRefusal } from '../../ports/mail/refused-addresses.ts';
import { itOnSqlite } from '../../testing/on-sqlite.ts';
import { findTraces } from '../../testing/read-all-tables.ts';
import { seedTrack } from '../../testing/seed-track.ts';
import { confirmDevices, createAdmin, createHelper } from '../../testing/test-admin.ts';
import { createTestApp, type TestApp } from '../../testing/test-app.ts';
import { createUser, PASSWORD, payUntil, type TestUser } from '../../testing/test-user.ts';
import { savePreferences } from '../preferences/service.ts';
import { sendLetters, startLetter } from './jobs.ts';

vi.mock(import('feedsmith'), { spy: true });

let test: TestApp;
let helper: TestUser;
let sent: MailMessage[];
/** What the mail server does with a message that it has taken. */
let onMail: (message: MailMessage, options: SendOptions) => Promise<unknown> | undefined;

beforeEach(async () => {
  sent = [];
  onMail = () => undefined;
  test = await createTestApp({
    hasPage: true,
    config: {
      smtp: { url: 'smtp://127.0.0.1:1', from: 'Music <music@example.com>' },
    },
    mail: {
      send: async (message, options = {}) => {
        await options.beforeHandOver?.();
        await onMail(message, options);
        sent.push(message);
      },
      close: () => undefined,
    },
  });
  helper = await createHelper(test);
});
afterEach(() => test.close());

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

const ask = (method: Method, path: string, payload?: object, { client } = helper) =>
  client.request({ method, url: `/api/admin/letters${path}`, ...(payload && { payload }) });

const NEEDS_PASSWORD = /\/(send|go-on)$/;

async function call<T>(method: Method, path: string, payload?: object): Promise<T> {
  if (NEEDS_PASSWORD.test(path)) await confirmDevices(test, helper);
  const answer = await ask(method, path, payload);
  expect([path, answer.statusCode, answer.body.slice(0, 300)]).toEqual([
    path,
    200,
    expect.any(String),
  ]);
  return answer.json<T>();
}

async function refusal(method: Method, path: string, payload?: object) {
  if (NEEDS_PASSWORD.test(path)) await confirmDevices(test, helper);
  const { code, message, fields } = (await ask(method, path, payload)).json<ErrorBody>();
  return { code, message, fields };
}

const save = (letter: AdminLetter, values: object) =>
  call<AdminLetter>('PATCH', `/${letter.id}`, { version: letter.version, ...values });

async function write(values: object = {}): Promise<AdminLetter> {
  test.clock.advance(1);
  const letter = await call<AdminLetter>('POST', '');
  return save(letter, { subject: 'We play Cape Town', body: 'See you **there**.', ...values });
}

const read = ({ id }: { id: string }) => call<AdminLetter>('GET', `/${id}`);

const send = async ({ id, version }: AdminLetter, at: number | null = null) =>
  call<AdminLetter>('POST', `/${id}/send`, { version, at });

/** Wants news, at a confirmed address. */
async function createReader(name: string, paidThrough: number | null = null): Promise<TestUser> {
  const reader = await createUser(test, name);
  const { db } = test.deps.database;
  await savePreferences(db, reader.user.id, { newsMails: true }, test.clock.now());
  if (paidThrough !== null) await payUntil(test, reader.user, paidThrough);
  return reader;
}

const recipients = () => sent.map(({ to }) => to.replace('@example.com', '')).toSorted();

const running = (signal = new AbortController().signal) => ({
  id: '',
  attempt: 1,
  maxAttempts: 1,
  signal,
  finish: async () => undefined,
});

/** Everything that is due now, and nothing else that was sent. */
async function deliver() {
  await sendLetters.execute(test.deps, '{}', running());
  await test.worker.runDue();
  sent = sent.filter(({ text }) => text.includes('product news'));
}

const listRows = () =>
  test.deps.database.db
    .selectFrom('letter_mails')
    .selectAll()
    .orderBy('letter_id')
    .orderBy('user_id')
    .execute();

async function unsubscribe({ unsubscribeUrl = '' }: MailMessage): Promise<number> {
  const url = unsubscribeUrl.slice(test.deps.site.origin.length);
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const payload = 'List-Unsubscribe=One-Click';
  return (await test.app.inject({ method: 'POST', url, headers, payload })).statusCode;
}

describe('a draft', () => {
  it('keeps what is typed, and says so when somebody else was faster', async () => {
    const letter = await write();
    expect(letter).toMatchObject({ state: 'draft', subject: 'We play Cape Town', page: 'members' });
    const renamed = await save(letter, { subject: 'We play Durban' });
    const mine = await save(renamed, { body: 'Longer.' });
    expect(mine).toMatchObject({ subject: 'We play Durban', body: 'Longer.' });
    expect(
      await refusal('PATCH', `/${letter.id}`, { version: letter.version, body: 'Mine.' }),
    ).toMatchObject({ code: 'letter_changed' });
    expect(await read(letter)).toEqual(mine);
    const deleted = await ask('DELETE', `/${letter.id}`);
    expect(deleted.statusCode).toBe(204);
    expect(await refusal('GET', `/${letter.id}`)).toMatchObject({ code: 'not_found' });
  });

  it('refuses what is wrong with a sentence', async () => {
    const letter = await call<AdminLetter>('POST', '');
    const wrong = [
      ['subject', 'x'.repeat(121), 'Use at most 120 characters.'],
      ['subject', 'Hello\r\nBcc: you@example.com', 'Use one line of text.'],
      ['body', 'é'.repeat(51_201), 'Use at most 100 KB of text.'],
      ['body', 'a\0', 'The text contains an invalid character.'],
      ['picture', '../../database.sqlite', 'Choose the picture again.'],
      ['trackId', 'nothing', 'Choose a mix that exists.'],
      ['audience', 'enemies', 'Choose who gets it.'],
      ['page', 'nobody', 'Choose who can read it on the site.'],
    ] as const;
    for (const [field, value, message] of wrong) {
      const payload = { version: letter.version, [field]: value };
      expect(await refusal('PATCH', `/${letter.id}`, payload)).toMatchObject({
        code: 'validation_failed',
        fields: { [field]: message },
      });
    }
  });

  it('is shown as it will arrive, and harmless whatever it says', async () => {
    const { database, storage, clock } = test.deps;
    const now = clock.now();
    const next = { publish_at: now + DAY, announced_at: null, title: 'Night Bus' };
    const { id: trackId } = await seedTrack({ db: database.db, storage, now }, next);
    const content = {
      subject: '',
      body: [
        '# News <script>alert(1)</script>',
        '<img src=x onerror=alert(1)>',
        '[bad](javascript:alert(1)) ![](https://spy.example/pixel.png)',
        '[the mixes](/library), [us](https://example.com/?a=1&b=2), **bold**',
        '- one\n- two',
      ].join('\n\n'),
      picture: null,
      pictureText: '',
      trackId,
    };
    const { subject, html, text } = await call<MailMessage>('POST', '/preview', content);
    expect(subject).toBe('(no subject yet)');
    expect(html).not.toMatch(/<script|<img src="?x|href="javascript|<img[^>]*spy/);
    expect(html).toContain(`href="${test.deps.site.origin}/library"`);
    expect(html).toContain('href="https://example.com/?a=1&amp;b=2"');
    expect(text).toContain(
      `the mixes (${test.deps.site.origin}/library), us (https://example.com/?a=1&b=2), bold`,
    );
    expect(text).toContain('- one\n- two');
    expect(text).toContain('Night Bus');
    expect(text).toContain(`Play week 46:\n${test.deps.site.origin}/track/${trackId}`);
    await call('POST', '/test', content);
    expect(sent).toMatchObject([{ to: 'bheki@example.com', subject: '(no subject yet)' }]);
  });

  it('has a picture, encoded again, which mail programs can show', async () => {
    const upload = (payload: Buffer) =>
      helper.client.request({
        method: 'POST',
        url: '/api/admin/letters/pictures',
        payload,
        headers: { 'content-type': 'image/png' },
      });
    const noise = { r: 200, g: 90, b: 40 };
    const png = await sharp({
      create: { width: 2400, height: 1200, channels: 3, background: noise },
    })
      .withExif({ IFD0: { Artist: 'GPS of my house' } })
      .png()
      .toBuffer();
    const { picture, path } = (await upload(png)).json<{ picture: string; path: string }>();
    expect(picture).toMatch(/-1104x552\.jpg$/);
    const file = await test.app.inject({ url: path });
    expect(file.headers['content-type']).toBe('image/jpeg');
    expect(file.body).not.toContain('GPS');
    const letter = await write({ picture, pictureText: 'The "van"' });
    expect(letter.picturePath).toBe(path);
    const unused = (await upload(png)).json<{ picture: string }>().picture;
    const text = (await upload(Buffer.from('<svg onload="alert(1)"/>'))).json<ErrorBody>();
    expect(text).toMatchObject({ code: 'invalid_image' });
    test.clock.advance(3 * DAY);
    await test.worker.runDue();
    const isThere = async (name: string) =>
      (await test.app.inject({ url: `/media/look/${name}` })).statusCode;
    expect([await isThere(picture), await isThere(unused)]).toEqual([200, 404]);
    expect(await isThere(lookFileName(unused, 'small'))).toBe(404);
    await createReader('zola');
    await send(letter);
    await deliver();
    const [mail] = sent;
    expect(mail?.html).toContain(`${test.deps.site.origin}/media/look/${picture}`);
    expect(mail?.html).toContain('alt="The &quot;van&quot;"');
    expect(mail?.text).toContain('[The "van"]');
  });
});

/** One of each kind, and everybody who gets nothing. */
async function createMembers() {
  const now = test.clock.now();
  const { db } = test.deps.database;
  await createReader('anele');
  await createReader('lindiwe', now + 30 * DAY);
  await createReader('sipho', now - 30 * DAY);
  await createUser(test, 'quiet');
  const unconfirmed = await createUser(test, 'unconfirmed', { isEmailVerified: false });
  const refused = await createReader('refused');
  await recordRefusal(
    db,
    { email: refused.user.email, reason: 'No such user', source: 'server' },
    now,
  );
  const disabled = await createReader('disabled');
  await db
    .insertInto('disabled_accounts')
    .values({ user_id: disabled.user.id, at: now, reason: 'Spam' })
    .execute();
  const admin = await createAdmin(test);
  for (const { user } of [unconfirmed, admin])
    await savePreferences(db, user.id, { newsMails: true }, now);
}

describe('a letter that is sent', () => {
  it('goes to those who want news: everyone, or Premium, free or lapsed members', async () => {
    await createMembers();
    const { audiences, delivery } = await call<LetterReach>('GET', '/reach');
    expect(delivery).toBe('smtp');
    const counts = Object.fromEntries(
      audiences.map(({ audience, members }) => [audience, members]),
    );
    expect(counts).toEqual({ everyone: 4, premium: 1, free: 2, lapsed: 1 });
    const expected = {
      everyone: ['anele', 'lindiwe', 'naledi', 'sipho'],
      premium: ['lindiwe'],
      free: ['anele', 'sipho'],
      lapsed: ['sipho'],
    };
    for (const [audience, names] of Object.entries(expected)) {
      sent = [];
      const letter = await send(await write({ audience }));
      expect(letter).toMatchObject({ state: 'sending' });
      await deliver();
      expect([audience, recipients()]).toEqual([audience, names]);
      expect(await read(letter)).toMatchObject({
        state: 'sent',
        counts: { waiting: 0, sent: names.length, returned: 0, failed: 0, leftOut: 0 },
      });
    }
    const { items } = await call<Page<LetterItem>>('GET', '');
    expect(items.map(({ audience }) => audience)).toEqual(Object.keys(expected).toReversed());
  });

  it('names its page and unsubscribes with one click, which is counted once', async () => {
    await createReader('anele');
    await createReader('sipho');
    const letter = await send(await write());
    await deliver();
    const mail = sent.find(({ to }) => to.startsWith('anele'));
    expect(mail).toMatchObject({ subject: 'We play Cape Town' });
    expect(mail?.text).toContain(`${test.deps.site.origin}/letters/${letter.id}`);
    expect(mail?.html).toContain('See you <strong>there</strong>.');
    expect(mail?.unsubscribeUrl).toMatch(/\/api\/unsubscribe\/news\..*\?letter=/);
    expect(mail && [await unsubscribe(mail), await unsubscribe(mail)]).toEqual([200, 200]);
    expect((await read(letter)).counts).toMatchObject({ sent: 2, unsubscribed: 1 });
    sent = [];
    await send(await write());
    await deliver();
    expect(recipients()).toEqual(['sipho']);
  });

  it('can’t be changed, deleted or sent a second time; only its page comes and goes', async () => {
    await createReader('anele');
    const draft = await write();
    const letter = await send(draft);
    const { version } = letter;
    const path = `/${letter.id}`;
    const locked = { code: 'letter_locked' };
    expect(await refusal('PATCH', path, { version, body: 'Oops.' })).toMatchObject(locked);
    expect(await refusal('DELETE', path)).toMatchObject(locked);
    const again = { version, at: null };
    expect(await refusal('POST', `${path}/send`, again)).toMatchObject(locked);
    expect(await refusal('POST', `${path}/go-on`)).toMatchObject(locked);
    await deliver();
    expect(await refusal('POST', `${path}/stop`)).toMatchObject(locked);
    expect(await save(letter, { page: 'none' })).toMatchObject({ page: 'none', state: 'sent' });
    expect(recipients()).toEqual(['anele']);
  });

  it('needs the password once more, as does going on', async () => {
    await createReader('anele');
    const { id, version } = await write();
    const now = { version, at: null };
    const later = { version, at: test.clock.now() + HOUR };
    for (const payload of [now, later])
      expect((await ask('POST', `/${id}/send`, payload)).json()).toMatchObject({
        code: 'confirmation_required',
      });
    expect(await read({ id })).toMatchObject({ state: 'draft' });
    onMail = () => call('POST', `/${id}/stop`);
    await createReader('sipho');
    await call('POST', `/${id}/send`, now);
    await deliver();
    test.clock.advance(HOUR);
    expect((await ask('POST', `/${id}/go-on`)).json()).toMatchObject({
      code: 'confirmation_required',
    });
    expect(await read({ id })).toMatchObject({ state: 'stopped' });
  });

  it('goes out as it was seen, not as somebody else has just saved it', async () => {
    await createReader('anele');
    const seen = await write();
    await save(seen, { body: 'Another text.' });
    const payload = { version: seen.version, at: null };
    expect(await refusal('POST', `/${seen.id}/send`, payload)).toMatchObject({
      code: 'letter_changed',
    });
  });

  it('needs readers, words, and a mix that they can hear', async () => {
    const empty = await call<AdminLetter>('POST', '');
    const trySending = async ({ id, version }: AdminLetter, at: number | null = null) =>
      refusal('POST', `/${id}/send`, { version, at });
    expect(await trySending(empty)).toMatchObject({
      fields: { subject: 'Enter a subject.', body: 'Write the letter.' },
    });
    const letter = await write({ audience: 'lapsed' });
    expect(await trySending(letter)).toMatchObject({
      code: 'letter_refused',
      message: expect.stringContaining('whose Premium has ended'),
    });
    await createReader('sipho', test.clock.now() - 30 * DAY);
    const { database, storage, clock } = test.deps;
    const now = clock.now();
    const next = { publish_at: now + DAY, announced_at: null };
    const mix = await seedTrack({ db: database.db, storage, now }, next);
    const early = await save(letter, { trackId: mix.id });
    expect(await trySending(early)).toMatchObject({
      message: expect.stringContaining('isn’t out at that time'),
    });
    for (const at of [now, now + 400 * DAY])
      expect(await trySending(early, at)).toMatchObject({ fields: { at: expect.any(String) } });
    expect(await send(early, now + 2 * DAY)).toMatchObject({ state: 'planned' });
  });

  itOnSqlite('is refused on a site without a mail server', async () => {
    await test.close();
    test = await createTestApp({ config: { demo: false } });
    helper = await createHelper(test);
    await createReader('anele');
    const { id, version } = await write();
    expect(await refusal('POST', `/${id}/send`, { version, at: null })).toMatchObject({
      code: 'letter_refused',
      message: expect.stringContaining('no mail server'),
    });
  });
});

describe('a planned letter', () => {
  it('goes out at its time, also after a downtime, unless it is cancelled', async () => {
    await createReader('anele');
    const at = test.clock.now() + 2 * HOUR;
    const letter = await send(await write(), at);
    expect(letter).toMatchObject({ state: 'planned', sendAt: at });
    const change = { version: letter.version, body: 'Later.' };
    expect(await refusal('PATCH', `/${letter.id}`, change)).toMatchObject({
      code: 'letter_locked',
      message: expect.stringContaining('Cancel its time first'),
    });
    const draft = await call<AdminLetter>('POST', `/${letter.id}/stop`);
    expect(draft).toMatchObject({ state: 'draft', sendAt: null });
    test.clock.advance(3 * HOUR);
    await deliver();
    expect(sent).toEqual([]);
    await send(draft, test.clock.now() + HOUR);
    test.clock.advance(HOUR - MINUTE);
    await deliver();
    expect(sent).toEqual([]);
    test.clock.advance(DAY);
    await deliver();
    expect(recipients()).toEqual(['anele']);
  });
});

/** A mix that would be out by the time of the letter, and what becomes of it. */
const CHANGES = {
  postponed: { publish_at: Number.MAX_SAFE_INTEGER },
  unpublished: { publish_at: null },
  deleted: { deleted_at: 1, publish_at: null },
  'for Premium members only': { is_subscriber_only: 1 },
} as const;

describe('a planned letter whose mix changes', () => {
  it.each(Object.entries(CHANGES))('is a draft again if it is %s', async (_name, change) => {
    await createReader('anele');
    const { database, storage, clock } = test.deps;
    const { db } = database;
    const at = clock.now() + 2 * HOUR;
    const out = { publish_at: clock.now() + HOUR, announced_at: null };
    const mix = await seedTrack({ db, storage, now: clock.now() }, out);
    const planned = await send(await write({ trackId: mix.id }), at);
    const well = await send(await write({ subject: 'Without a mix' }), at);
    await db.updateTable('tracks').set(change).where('id', '=', mix.id).execute();
    test.clock.advance(2 * HOUR);
    await deliver();
    expect(sent.map(({ subject }) => subject)).toEqual(['Without a mix']);
    expect(await read(well)).toMatchObject({ state: 'sent', refusal: null });
    const draft = await read(planned);
    expect(draft).toMatchObject({
      state: 'draft',
      sendAt: null,
      refusal: expect.stringContaining('The mix in this letter is'),
    });
    const { items } = await call<Page<LetterItem>>('GET', '');
    expect(items.map(({ refusal: why }) => why)).toEqual([null, draft.refusal]);
    const admin = await createAdmin(test);
    const listAttention = async () =>
      (await admin.client.request({ url: '/api/admin/week' })).json<Week>().attention;
    expect(await listAttention()).toContainEqual({
      kind: 'refused-letters',
      count: 1,
      text: '1 planned letter couldn’t go out.',
      href: '/admin/letters',
    });
    const mended = await save(draft, { trackId: null });
    expect(mended.refusal).toBeNull();
    expect(await listAttention()).toEqual([]);
    await send(mended);
    await deliver();
    expect(recipients()).toEqual(['anele', 'anele']);
  });
});

describe('sending', () => {
  it('stops in the middle, and goes on to the rest', async () => {
    for (const name of ['anele', 'lindiwe', 'sipho', 'thabo']) await createReader(name);
    const letter = await write();
    onMail = () => (sent.length === 1 ? call('POST', `/${letter.id}/stop`) : undefined);
    await send(letter);
    await deliver();
    const stopped = await read(letter);
    expect(stopped).toMatchObject({ state: 'stopped', counts: { sent: 2, waiting: 2 } });
    const open = await helper.client.request({ url: `/api/letters/${letter.id}` });
    expect(open.statusCode).toBe(404);
    test.clock.advance(DAY);
    await deliver();
    expect(sent).toHaveLength(2);
    // Those who joined meanwhile aren’t in it, and who has changed their mind gets nothing.
    await createReader('zola');
    const waiting = (await listRows()).filter(({ state }) => state === 'waiting');
    const { db } = test.deps.database;
    await savePreferences(db, waiting[0]?.user_id ?? '', { newsMails: false }, test.clock.now());
    await call('POST', `/${letter.id}/go-on`);
    await deliver();
    expect(new Set(recipients()).size).toBe(3);
    expect(recipients()).not.toContain('zola');
    expect(await read(letter)).toMatchObject({
      state: 'sent',
      counts: { sent: 3, waiting: 0, leftOut: 1 },
    });
  });

  it('knows what was refused, what came back and what is uncertain, and sends none twice', async () => {
    for (const name of ['anele', 'lindiwe', 'sipho', 'thabo']) await createReader(name);
    const letter = await send(await write());
    onMail = async ({ to }) => {
      if (to.startsWith('sipho')) {
        const response = '550 5.1.1 No such user';
        throw Object.assign(new Error(response), {
          response,
          responseCode: 550,
          command: 'RCPT TO',
        });
      }
      if (to.startsWith('thabo')) throw new UncertainSend('The server fell silent.');
    };
    await deliver();
    // A mail server that falls silent gets a minute of peace.
    test.clock.advance(2 * MINUTE);
    await deliver();
    expect(recipients()).toEqual(['anele', 'lindiwe']);
    expect(await read(letter)).toMatchObject({
      state: 'sent',
      counts: { sent: 2, returned: 1, failed: 1, waiting: 0 },
    });
    test.clock.advance(HOUR);
    const { db } = test.deps.database;
    const bounce = { reason: 'Mailbox unknown', source: 'bounce' } as const;
    await recordRefusal(db, { email: 'lindiwe@example.com', ...bounce }, test.clock.now());
    expect((await read(letter)).counts).toMatchObject({ sent: 1, returned: 2, failed: 1 });
    // Whoever knows that it didn’t arrive sends it again.
    const admin = await createAdmin(test);
    const dead = await db
      .selectFrom('jobs')
      .select('id')
      .where('state', '=', 'dead')
      .where('name', '=', 'send-letter-mail')
      .executeTakeFirstOrThrow();
    onMail = () => undefined;
    sent = [];
    const url = `/api/admin/jobs/${dead.id}/retry`;
    expect((await admin.client.request({ method: 'POST', url })).statusCode).toBeLessThan(300);
    await deliver();
    expect(recipients()).toEqual(['thabo']);
    expect((await read(letter)).counts).toMatchObject({ sent: 2, failed: 0 });
  });

  it('tries an address again that refused meanwhile, or says why not', async () => {
    await createReader('thabo');
    const letter = await send(await write());
    const { db } = test.deps.database;
    const email = 'thabo@example.com';
    onMail = async () => {
      await recordRefusal(db, { email, reason: 'Full', source: 'bounce' }, test.clock.now());
      throw new UncertainSend('The server fell silent.');
    };
    await deliver();
    expect(await read(letter)).toMatchObject({ counts: { sent: 0, returned: 1, failed: 0 } });
    const admin = await createAdmin(test);
    const { id } = await db
      .selectFrom('jobs')
      .select('id')
      .where('name', '=', 'send-letter-mail')
      .where('state', '=', 'dead')
      .executeTakeFirstOrThrow();
    const retry = () =>
      admin.client.request({ method: 'POST', url: `/api/admin/jobs/${id}/retry` });
    onMail = () => undefined;
    const refused = await retry();
    expect(refused.statusCode).toBe(422);
    expect(refused.json<ErrorBody>().message).toContain('address refuses mail');
    await forgetRefusal(db, email);
    expect((await retry()).statusCode).toBeLessThan(300);
    test.clock.advance(2 * MINUTE);
    await deliver();
    expect(recipients()).toEqual(['thabo']);
    expect(await read(letter)).toMatchObject({ counts: { sent: 1, returned: 0, waiting: 0 } });
  });

  it('survives a kill while the recipients are being listed: nobody is in it twice or missing', async () => {
    const { database } = test.deps;
    const { db } = database;
    const now = test.clock.now();
    const ids = Array.from({ length: 620 }, (_, index) => `m${String(index).padStart(4, '0')}`);
    for (let start = 0; start < ids.length; start += 100) {
      const some = ids.slice(start, start + 100);
      await db
        .insertInto('users')
        .values(some.map((id) => buildUser({ id, created_at: now - DAY })))
        .execute();
      for (const id of some) await savePreferences(db, id, { newsMails: true }, now);
    }
    await changeSettings(db, { mailsPerHour: 300 }, now);
    const { audiences } = await call<LetterReach>('GET', '/reach');
    expect(audiences[0]).toMatchObject({ audience: 'everyone', members: 620 });
    expect(audiences[0]?.estimateMs).toBeGreaterThan(2 * HOUR);
    const { id } = await send(await write());
    const killed = new AbortController();
    const payload = JSON.stringify({ id });
    const { signal } = killed;
    let looks = 0;
    const dying = {
      ...signal,
      throwIfAborted: () => {
        looks += 1;
        if (looks === 2) throw new Error('killed');
      },
    } as AbortSignal;
    await expect(startLetter.execute(test.deps, payload, running(dying))).rejects.toThrow('killed');
    expect(await listRows()).toHaveLength(500);
    // Several servers look at the same moment.
    await Promise.all([
      startLetter.execute(test.deps, payload, running()),
      startLetter.execute(test.deps, payload, running()),
      sendLetters.execute(test.deps, '{}', running()),
    ]);
    const rows = await listRows();
    expect(rows.map(({ user_id }) => user_id)).toEqual(ids);
    expect((await read({ id })).counts.waiting).toBe(620);
    const queued = rows.filter(({ state }) => state === 'queued').map(({ user_id }) => user_id);
    const jobs = await db
      .selectFrom('jobs')
      .select('payload')
      .where('name', '=', 'send-letter-mail')
      .execute();
    // Ten minutes of mails, so that a release in between needn’t wait for all of it.
    expect(queued.length).toBeGreaterThanOrEqual(50);
    // On SQLite one server writes after the other; on PostgreSQL each may fill the queue.
    const rounds = database.dialect === 'sqlite' ? 1 : 3;
    expect(queued.length).toBeLessThanOrEqual(rounds * 50);
    expect(
      jobs.map((job) => (JSON.parse(job.payload) as { userId: string }).userId).toSorted(),
    ).toEqual(queued);
  });

  it('doesn’t wait for members who leave, and their data says what they got', async () => {
    const leaving = await createReader('anele');
    await createReader('sipho');
    const first = await send(await write({ subject: 'One' }));
    await deliver();
    const names = await exportNames(leaving);
    expect(names).toContain('One');
    const second = await write({ subject: 'Two' });
    await send(second);
    await startLetter.execute(test.deps, JSON.stringify({ id: second.id }), running());
    const deleted = await leaving.client.request({
      method: 'DELETE',
      url: '/api/me',
      payload: { password: PASSWORD, confirmation: 'delete' },
    });
    expect(deleted.statusCode).toBe(204);
    await deliver();
    expect(await read(second)).toMatchObject({
      state: 'sent',
      counts: { sent: 1, waiting: 0, leftOut: 1 },
    });
    expect((await read(first)).counts).toMatchObject({ sent: 2 });
    expect(await findTraces(test.deps.database, [leaving.user.id])).not.toContainEqual(
      expect.stringContaining('letter'),
    );
  });
});

const exportNames = async ({ user }: TestUser): Promise<string> => {
  const { exportLetterMails } = await import('./service.ts');
  const rows: object[] = [];
  for await (const row of exportLetterMails(test.deps.database.db, user.id)) rows.push(row);
  return JSON.stringify(rows);
};

describe('on the site', () => {
  it('a letter is read by members or by everyone, and by nobody before it is out', async () => {
    const { database, storage, clock } = test.deps;
    const now = clock.now();
    const mix = await seedTrack({ db: database.db, storage, now }, { title: 'Night Bus' });
    const reader = await createReader('anele');
    const values = { page: 'everyone', trackId: mix.id, subject: 'Cape <Town>' };
    const draft = await write(values);
    const visitor = test.createClient();
    const open = async (id: string, { client } = { client: visitor }) =>
      (await client.request({ url: `/api/letters/${id}` })).statusCode;
    const list = async ({ client } = { client: visitor }) =>
      (await client.request({ url: '/api/letters' }))
        .json<Page<LetterSummary>>()
        .items.map(({ subject }) => subject);
    expect([await open(draft.id), await list()]).toEqual([404, []]);
    expect((await visitor.request({ url: '/letters/feed.xml' })).statusCode).toBe(404);
    await send(draft);
    const forMembers = await send(await write({ subject: 'For members' }));
    const hidden = await send(await write({ subject: 'In mails only', page: 'none' }));
    await deliver();
    const letter = (await visitor.request({ url: `/api/letters/${draft.id}` })).json<Letter>();
    expect(letter).toMatchObject({
      subject: 'Cape <Town>',
      html: '<p>See you <strong>there</strong>.</p>\n',
      track: { title: 'Night Bus' },
    });
    expect([await open(forMembers.id), await open(forMembers.id, reader)]).toEqual([401, 200]);
    expect([await open(hidden.id, reader), await open('nothing', reader)]).toEqual([404, 404]);
    expect([await list(), await list(reader)]).toEqual([
      ['Cape <Town>'],
      ['For members', 'Cape <Town>'],
    ]);
    const feed = await visitor.request({ url: '/letters/feed.xml' });
    const { items = [] } = parseRssFeed(feed.body);
    expect(items.map(({ title, link }) => [title, link])).toEqual([
      ['Cape <Town>', `${test.deps.site.origin}/letters/${draft.id}`],
    ]);
    const etag = String(feed.headers.etag);
    const again = { url: '/letters/feed.xml', headers: { 'if-none-match': etag } };
    expect((await visitor.request(again)).statusCode).toBe(304);
    const both = await Promise.all([1, 2].map(() => visitor.request({ url: again.url })));
    expect(both.map(({ body }) => body)).toEqual([feed.body, feed.body]);
    expect(generateRssFeed).toHaveBeenCalledTimes(1);
    // It is named in braces by texts, so what was written before is over.
    await changeSettings(database.db, { graceDays: 9 }, now);
    expect((await visitor.request(again)).statusCode).toBe(200);
    expect(generateRssFeed).toHaveBeenCalledTimes(2);
    const accept = { headers: { accept: 'text/html' } };
    const page = await visitor.request({ url: `/letters/${draft.id}`, ...accept });
    expect(page.body).toContain('<title>Cape &lt;Town&gt; · Weekender</title>');
    expect(page.body).toContain('<p>See you <strong>there</strong>.</p>');
    const locked = await visitor.request({ url: `/letters/${forMembers.id}`, ...accept });
    expect(locked.body).not.toContain('For members');
    expect((await visitor.request({ url: '/letters/nothing', ...accept })).statusCode).toBe(404);
    const sitemap = await visitor.request({ url: '/sitemap.xml' });
    expect(sitemap.body).toContain(`/letters/${draft.id}<`);
    expect(sitemap.body).not.toContain(forMembers.id);
  });

  it('and writing one is for helpers, who see no address of a member', async () => {
    const reader = await createReader('anele');
    const draft = await write();
    test.clock.advance(1);
    const letter = await send(draft);
    await deliver();
    const seen = [
      (await ask('GET', '')).body,
      (await ask('GET', '/reach')).body,
      (await ask('GET', `/${letter.id}`)).body,
    ].join('\n');
    expect(seen).not.toContain('anele');
    const asMember = await ask('GET', '', undefined, reader);
    expect(asMember.statusCode).toBe(404);
    const { db } = test.deps.database;
    const log = await db
      .selectFrom('audit_log')
      .select(['action', 'after'])
      .orderBy('id')
      .execute();
    expect(log.map(({ action }) => action)).toEqual(['letter.created', 'letter.sent']);
    expect(log[1]?.after).toContain('We play Cape Town');
  });
});
