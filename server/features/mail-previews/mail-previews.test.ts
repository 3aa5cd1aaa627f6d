/** @module-tag both-databases */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { MailPreview } from '#contract/admin/mails.ts';
import type { ErrorBody } from '#contract/errors.ts';
import { DAY } from '#contract/rules/time.ts';
import { changeSettings } from '../../db/settings.ts';
import type { MailMessage } from '../../ports/mail/mail.ts';
import { pauseBulkMail } from '../../ports/mail/mail-pace.ts';
import { recordRefusal } from '../../ports/mail/refused-addresses.ts';
import { seedTrack } from '../../testing/seed-track.ts';
import { createAdmin } from '../../testing/test-admin.ts';
import { createTestApp, type TestApp } from '../../testing/test-app.ts';
import { reloadSettings } from '../settings/service.ts';
import type { TestUser } from '../../testing/test-user.ts';

const NAME = '<b onmouseover=alert(1)>"Thandi"</b>';

const sent: MailMessage[] = [];
let test: TestApp;
let admin: TestUser;
/** Out next Friday; nobody but administrators may see it. */
let next: string;
let newest: string;
beforeAll(async () => {
  test = await createTestApp({
    mail: { send: async (message) => void sent.push(message), close: () => undefined },
  });
  admin = await createAdmin(test);
  const { database, storage, clock } = test.deps;
  const now = clock.now();
  const seed = { db: database.db, storage, now };
  ({ id: newest } = await seedTrack(seed, { title: `<script>alert('title')</script>` }));
  ({ id: next } = await seedTrack(seed, {
    publish_at: now + 3 * DAY,
    announced_at: null,
    title: 'Next Friday',
    week: 47,
  }));
  await database.db.updateTable('users').set({ username: NAME }).execute();
  await changeSettings(database.db, { siteName: `Mixes <& 'Co'>` }, now);
  await reloadSettings(test.deps);
});
afterAll(() => test.close());

const post = (path: string, payload: object = {}) =>
  admin.client.request({ method: 'POST', url: `/api/admin/mails/${path}`, payload });
const preview = async (name: string, payload: object = {}) => {
  const response = await post(`${name}/preview`, payload);
  expect(response.statusCode).toBe(200);
  return response.json<MailPreview>();
};

const hrefs = (html: string): string[] =>
  [...html.matchAll(/href="([^"]*)"/g)].map(([, href = '']) => href.replaceAll('&amp;', '&'));

it('every e-mail of the site has the one layout, and its text says what its HTML says', async () => {
  const { mails } = (await admin.client.request({ url: '/api/admin/mails' })).json<{
    mails: { name: string; subject: string }[];
  }>();
  expect(mails.length).toBeGreaterThan(45);
  expect(new Set(mails.map(({ name }) => name)).size).toBe(mails.length);
  const { origin } = test.deps.site;
  for (const { name, subject } of mails) {
    const mail = await preview(name, name === 'release' ? { track: newest } : {});
    if (name !== 'release') expect(mail.subject, name).toBe(subject);
    expect(mail.html, name).toMatch(/^<!doctype html>\n<html lang="en">/);
    // Gmail cuts off what is longer.
    expect(Buffer.byteLength(mail.html), name).toBeLessThan(60_000);
    expect(mail.html, name).not.toMatch(
      /<script|<b onmouse|<iframe|@import|@font-face|javascript:/,
    );
    expect(mail.html.match(/<a class="button"/g) ?? [], name).toHaveLength(
      name === 'account-deleted' ? 0 : 1,
    );
    for (const href of hrefs(mail.html)) expect(mail.text, name).toContain(href);
    const elsewhere = [...mail.html.matchAll(/(?:src|href)="([^"]*)"/g)].filter(
      ([, address = '']) => !address.startsWith(origin),
    );
    expect(elsewhere, name).toEqual([]);
    // The sleeve of a mix is the only picture: none tells us who opened the mail.
    const pictures = [...mail.html.matchAll(/<img [^>]*src="([^"]*)"/g)].map(([, src]) => src);
    expect(pictures, name).toHaveLength(name === 'release' ? 1 : 0);
    for (const picture of pictures) expect(picture).toMatch(/\/media\/sleeves\/46-\d+\.png$/);
  }
});

describe('the e-mail about a release', () => {
  it('is about the mix that comes out next, or about any other', async () => {
    expect((await preview('release')).subject).toBe('Week 47: Next Friday');
    const { subject, html, text } = await preview('release', { track: newest });
    expect(subject).toBe(`Week 46: <script>alert('title')</script>`);
    expect(html).toMatch(/class="numeral"[^>]*>46</);
    expect(text).toContain('Log drums at walking pace.');
    expect(text).toContain('0:00  Substation Intro – Relay Room');
    expect(text).toContain('About 0.1 MB. With data saver 0.1 MB.');
    expect(text).toContain(`Play week 46:\n${test.deps.site.origin}/track/${newest}\n`);
    expect((await post('release/preview', { track: 'nothing' })).statusCode).toBe(404);
  });

  it('shows words before they are saved, and only known facts in braces', async () => {
    const words = {
      greeting: 'Howzit!',
      releaseIntro: '{title} is week {week} of {year}, {length} long.\n\nEnjoy!',
      releaseEnd: 'See you on {site}',
    };
    const { text, html } = await preview('release', { track: next, words });
    expect(text).toContain('Howzit!\n\nNext Friday is week 47 of 2026, 2 min long.\n\nEnjoy!');
    expect(text).toContain(`See you on Mixes <& 'Co'>`);
    expect(html).toContain('See you on Mixes &lt;&amp; &#39;Co&#39;&gt;');
    const refused = await post('release/preview', { words: { releaseIntro: 'Hi {first name}' } });
    expect(refused.statusCode).toBe(400);
    expect(Object.values(refused.json<ErrorBody>().fields ?? {})).toEqual([
      '{first name} means nothing here. You can use {week}, {year}, {title}, {length} and {site}.',
    ]);
    expect((await preview('release', { track: next })).text).toContain('Week 47 is out on');
  });
});

it('the words and the price of data are settings: once saved, every e-mail has them', async () => {
  const { version } = (await admin.client.request({ url: '/api/admin/settings' })).json<{
    version: number;
  }>();
  const values = {
    greeting: 'Dear {name},',
    premiumWelcome: 'Welcome! {mixes} are yours.',
    dataPrice: 85_00,
  };
  const saved = await admin.client.request({
    method: 'PATCH',
    url: '/api/admin/settings',
    payload: { version, values },
  });
  expect(saved.statusCode).toBe(200);
  const { text } = await preview('payment-welcome');
  expect(text).toContain(`Dear ${NAME},\n\nWelcome! The first mix are yours.`);
  expect((await preview('release', { track: newest })).text).toContain(
    'About 0.1 MB, 1 cent. With data saver 0.1 MB, 1 cent.',
  );
  // What the law wants said stays, whatever the operator writes.
  expect(text).toContain('It renews automatically and you can cancel any time.');
  expect((await preview('reset-link')).text).toMatch(/^Dear /);
});

it('a welcome and a gift promise to work offline only while members can keep something', async () => {
  const { database, clock } = test.deps;
  const change = (values: object) => changeSettings(database.db, values, clock.now());
  const words = { premiumWelcome: 'You’re in. {mixes}, {how}.' };
  const readBoth = async () =>
    [await preview('payment-welcome', { words }), await preview('gift-gift')].map(({ text }) =>
      /in full(?:, online or off)?\./.exec(text)?.join(),
    );
  expect(await readBoth()).toEqual(['in full, online or off.', 'in full, online or off.']);
  await change({ savingEnd: 0 });
  expect(await readBoth()).toEqual(['in full, online or off.', 'in full, online or off.']);
  await change({ downloadsEnd: 0 });
  expect(await readBoth()).toEqual(['in full.', 'in full.']);
  await change({ savingEnd: null, downloadsEnd: null });
});

it('a test goes to the administrator, exactly as it was shown', async () => {
  sent.length = 0;
  const body = { track: next, words: { releaseEnd: 'Bye' } };
  const { html } = await preview('release', body);
  const response = await post('release/test', body);
  expect(response.json()).toEqual({ to: 'naledi@example.com', isSent: false });
  expect(sent).toHaveLength(1);
  expect(sent[0]).toMatchObject({ to: 'naledi@example.com', html });
  expect((await post('nothing/test')).statusCode).toBe(404);
});

it('says how many an e-mail about a mix goes to, what waits before it, and until when', async () => {
  const { database, clock } = test.deps;
  const read = async () =>
    (await admin.client.request({ url: '/api/admin/mails/pace' })).json<object>();
  // The only member is the administrator, who confirmed the address.
  expect(await read()).toEqual({ members: 1, waiting: 0, pause: null });
  const pause = { kind: 'over-limit', reason: '450 Too many', forMs: 3_600_000 } as const;
  const until = await pauseBulkMail(database.db, pause, clock.now());
  expect(await read()).toMatchObject({ pause: { until, reason: '450 Too many' } });
  await recordRefusal(
    database.db,
    { email: admin.user.email, reason: '550', source: 'server' },
    clock.now(),
  );
  expect(await read()).toMatchObject({ members: 0 });
});
