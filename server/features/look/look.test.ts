/** @module-tag both-databases */
import { Readable } from 'node:stream';
import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ErrorBody } from '#contract/errors.ts';
import type { SiteSettings } from '#contract/admin/settings.ts';
import type { LookUpload } from '#contract/admin/look.ts';
import { lookFileName, type About } from '#contract/look.ts';
import { DAY } from '#contract/rules/time.ts';
import { createAdmin } from '../../testing/test-admin.ts';
import { createTestApp, type TestApp } from '../../testing/test-app.ts';
import type { TestUser } from '../../testing/test-user.ts';
import { itOnSqlite } from '../../testing/on-sqlite.ts';
import { readLook } from './service.ts';

let test: TestApp;
let admin: TestUser;
let version: number;
beforeEach(async () => {
  test = await createTestApp();
  admin = await createAdmin(test);
  version = 0;
});
afterEach(() => test.close());

const save = async (values: object) => {
  const answer = await admin.client.request({
    method: 'PATCH',
    url: '/api/admin/settings',
    payload: { version, values },
  });
  if (answer.statusCode === 200) version += 1;
  return answer;
};

describe('the look of a site', () => {
  it('is everyone’s until someone sets it', async () => {
    expect(readLook(test.deps)).toMatchObject({
      isOwn: false,
      siteName: 'Weekender',
      senderName: 'Weekender',
      about: null,
      sleeves: { family: 'all', hemisphere: 'south' },
    });
    await save({ sentence: 'Amapiano from Soweto, every Friday.', hemisphere: 'north' });
    expect(readLook(test.deps)).toMatchObject({
      isOwn: true,
      sentence: 'Amapiano from Soweto, every Friday.',
      about: 'members',
      sleeves: { hemisphere: 'north' },
    });
    await save({ isAboutPublic: true, siteName: 'Deep Sunday' });
    expect(readLook(test.deps)).toMatchObject({ about: 'everyone', senderName: 'Deep Sunday' });
  });

  it.each([
    ['headline', 'x'.repeat(300), 'Use at most 60 characters.'],
    ['lead', 'x'.repeat(241), 'Use at most 240 characters.'],
    ['sentence', 'two\nlines', 'Use one line of text.'],
    ['senderName', 'Me\r\nBcc: you@example.com', 'Use one line of text.'],
    ['hemisphere', 'east', 'Choose a hemisphere.'],
    ['sleeveFamily', 'cats', 'Choose a family.'],
    ['logo', '../../database.sqlite', 'Choose the picture again.'],
    ['aboutText', 'x'.repeat(10_001), 'Use at most 10,000 characters.'],
    [
      'links',
      Array.from({ length: 9 }, (_, n) => ({ label: 'a', url: `https://${n}.example` })),
      'Use at most 8 links.',
    ],
  ])('refuses a wrong %s with a sentence and keeps what was', async (name, value, message) => {
    const answer = await save({ siteName: 'Deep Sunday', [name]: value });
    expect(answer.statusCode).toBe(400);
    expect(answer.json<ErrorBody>().fields).toEqual({ [`values.${name}`]: message });
    expect(readLook(test.deps)).toMatchObject({ isOwn: false, siteName: 'Weekender' });
  });

  it.each([
    ['soundcloud.com/me', 'https://soundcloud.com/me'],
    ['HTTPS://Example.com', 'HTTPS://Example.com'],
    ['https://example.com/a?b=c#d', 'https://example.com/a?b=c#d'],
  ])('links to %s', async (typed, url) => {
    const answer = await save({ links: [{ label: 'Mixes', url: typed }] });
    expect(answer.json<SiteSettings>().values.links).toEqual([{ label: 'Mixes', url }]);
  });

  it.each([
    'javascript:alert(1)',
    'http://example.com',
    'data:text/html,x',
    'https://',
    'https://localhost',
    'https://me:secret@example.com',
    'https://example.com\\@evil.example',
    'https://exa mple.com',
    '',
  ])('links to no %j', async (url) => {
    const answer = await save({ links: [{ label: 'Mixes', url }] });
    expect(answer.json<ErrorBody>().fields).toEqual({
      'values.links.0.url': 'Enter an address that starts with https://.',
    });
  });

  it('is in the page from its first byte', async () => {
    const read = async () =>
      (await test.app.inject({ url: '/', headers: { accept: 'text/html' } })).body;
    expect(await read()).toContain('<html lang="en">');
    await save({ hemisphere: 'north', sleeveFamily: 'records' });
    const page = await read();
    expect(page).toContain('<html lang="en" data-hemisphere="north">');
    expect(page).toContain('"sleeves":{"family":"records","hemisphere":"north"}');
  });
});

const LOGO = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 10" onload="alert(1)"><script>alert(1)</script><path d="M0 0h30v10z"/></svg>',
);

const upload = (kind: string, payload: Buffer | Readable, headers: Record<string, string> = {}) =>
  admin.client.request({
    method: 'POST',
    url: `/api/admin/look/${kind}`,
    headers: { 'content-type': 'image/svg+xml', ...headers },
    payload,
  });

const open = (file: string) => test.app.inject({ url: `/media/look/${file}` });

async function listStored() {
  const keys: string[] = [];
  for await (const { key } of test.deps.storage.list('look')) keys.push(key);
  return keys.toSorted();
}

describe('the About page', () => {
  const read = (client = test.createClient()) => client.request({ url: '/api/about' });
  const readPage = async () =>
    (await test.app.inject({ url: '/about', headers: { accept: 'text/html' } })).body;
  const readSitemap = async () => (await test.app.inject({ url: '/sitemap.xml' })).body;
  const about = {
    sentence: 'Amapiano from <Soweto>.',
    aboutText: '## {siteName}\n\nSince *2019*. <script>alert(1)</script>',
    links: [{ label: 'Instagram', url: 'https://instagram.com/me' }],
  };

  it('doesn’t exist as long as it says nothing', async () => {
    expect((await read(admin.client)).statusCode).toBe(404);
    expect(await readSitemap()).not.toContain('/about');
  });

  it('is for members until the operator says that it is for everyone', async () => {
    await save(about);
    expect((await read()).statusCode).toBe(401);
    expect((await read(admin.client)).json<About>()).toEqual({
      sentence: about.sentence,
      html: expect.stringContaining('<h2>Weekender</h2>\n<p>Since <em>2019</em>.'),
      links: about.links,
      picture: null,
    });
    expect(await readSitemap()).not.toContain('/about');
    expect(await readPage()).toContain('noindex');
    await save({ isAboutPublic: true });
    expect((await read()).json<About>().html).not.toContain('<script');
    expect(await readSitemap()).toContain('/about</loc>');
    const page = await readPage();
    expect(page).not.toContain('noindex');
    expect(page).toContain('<meta name="description" content="Amapiano from &lt;Soweto&gt;." />');
    expect(page).toContain('"sameAs":["https://instagram.com/me"]');
  });
});

const PHOTO = () =>
  sharp({ create: { width: 800, height: 600, channels: 3, background: '#a52' } })
    .jpeg()
    .toBuffer();

describe('a picture of the look', () => {
  it('is seen by nobody until it is saved, and then by everyone', async () => {
    const answer = await upload('logo', LOGO);
    expect(answer.statusCode).toBe(200);
    const { name, leftOut, preview } = answer.json<LookUpload>();
    expect(leftOut).toEqual(['a script']);
    expect(preview).toMatch(/^data:image\/svg\+xml;base64,/);
    expect((await open(name)).statusCode).toBe(404);
    expect((await save({ logo: name })).statusCode).toBe(200);
    const file = await open(name);
    expect(file.headers).toMatchObject({
      'content-type': 'image/svg+xml',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'cache-control': 'public, max-age=31536000, immutable',
    });
    expect(file.body).not.toMatch(/script|onload/);
    expect((await open(lookFileName(name, 'mail'))).headers['content-type']).toBe('image/png');
    expect(readLook(test.deps).logo).toMatchObject({ name, mask: preview });
  });

  itOnSqlite('stands on the pictures of shared links in their ink, with the headline', async () => {
    const BAR =
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 2"><path d="M0 0h8v2H0z M3 0h2v2H3z" fill-rule="evenodd" fill="#c00"/></svg>';
    await save({ logo: (await upload('logo', Buffer.from(BAR))).json<LookUpload>().name });
    const read = async () => {
      const card = await test.app.inject({ url: '/media/cards/site.png' });
      const picture = sharp(card.rawPayload);
      const at = (left: number, top: number) =>
        picture.clone().extract({ left, top, width: 1, height: 1 }).removeAlpha().raw().toBuffer();
      return {
        bytes: card.rawPayload,
        left: [...(await at(70, 64))],
        gap: [...(await at(126, 64))],
      };
    };
    const { bytes, left, gap } = await read();
    expect(left).toEqual([0xf2, 0xea, 0xde]);
    expect(Math.max(...gap)).toBeLessThan(60);
    await save({ headline: 'Amapiano after dark' });
    expect((await read()).bytes.equals(bytes)).toBe(false);
  });

  it('stays when another one replaces it, because mails that were sent show it', async () => {
    const names: string[] = [];
    for (let i = 0; i < 2; i++) {
      names.push((await upload('logo', LOGO)).json<LookUpload>().name);
      await save({ logo: names.at(-1) });
    }
    await save({ logo: null });
    for (const name of names) expect((await open(name)).statusCode).toBe(200);
    expect(readLook(test.deps)).toMatchObject({ logo: null, isOwn: false });
  });

  it('that isn’t saved is deleted after two days, and can then be chosen again', async () => {
    const { name } = (await upload('logo', LOGO)).json<LookUpload>();
    expect(await listStored()).toHaveLength(2);
    test.clock.advance(2 * DAY + 1);
    await test.worker.runDue();
    expect(await listStored()).toEqual([]);
    const answer = await save({ logo: name, sentence: 'Every Friday.' });
    expect(answer.json<ErrorBody>().fields).toEqual({
      'values.logo': 'We keep a picture that isn’t saved for two days. Choose it again.',
    });
    expect(readLook(test.deps).sentence).toBe('');
  });

  itOnSqlite('of 40 MB is refused before it is read', async () => {
    const size = 40 * 1024 * 1024;
    const declared = await upload('logo', LOGO, { 'content-length': String(size) });
    const chunks = Readable.from(
      Array.from({ length: 40 }, () => Buffer.alloc(1024 * 1024)),
      { objectMode: false },
    );
    const undeclared = await upload('logo', chunks);
    for (const answer of [declared, undeclared]) {
      expect(answer.statusCode).toBe(413);
      expect(answer.json<ErrorBody>().message).toBe(
        'This file is too large. Use one of at most 12 MB.',
      );
    }
    expect(await listStored()).toEqual([]);
  });

  itOnSqlite('says what is wrong with it', async () => {
    const answer = await upload('logo', Buffer.from('<svg><text>Deep</text></svg>'));
    expect([answer.statusCode, answer.json<ErrorBody>()]).toMatchObject([
      422,
      { code: 'invalid_image', fields: { logo: expect.stringContaining('how large it is') } },
    ]);
    expect((await upload('banner', LOGO)).statusCode).toBe(400);
  });

  it.each([
    '../database.sqlite',
    '..%2fdatabase.sqlite',
    'drafts',
    'drafts%2fx.svg',
    'a.svg',
    '%00',
  ])('is not the file %s', async (name) => {
    expect((await open(name)).statusCode).toBe(404);
  });
});

describe('what programs see of the look', () => {
  const prepare = async (kind: string) =>
    (await upload(kind, await PHOTO(), { 'content-type': 'image/jpeg' })).json<LookUpload>().name;

  it('is the icon, in the manifest and in the head of every page', async () => {
    const icon = await prepare('icon');
    await save({ icon, sentence: 'Every Friday.' });
    const manifest = (await test.app.inject({ url: '/manifest.webmanifest' })).json<{
      description: string;
      icons: { src: string; sizes: string; purpose?: string }[];
    }>();
    expect(manifest.description).toBe('Every Friday.');
    expect(manifest.icons.map(({ sizes, purpose }) => purpose ?? sizes)).toEqual([
      '192x192',
      '512x512',
      'maskable',
    ]);
    for (const { src, sizes } of manifest.icons) {
      const file = await test.app.inject({ url: src });
      const { width } = await sharp(file.rawPayload).metadata();
      expect(`${width}x${width}`).toBe(sizes);
    }
  });

  it('is the picture and the sentence, in the podcast feed', async () => {
    const readFeed = async () => (await test.app.inject({ url: '/feed.xml' })).body;
    expect(await readFeed()).toContain('/feed/artwork.png');
    await save({ picture: await prepare('picture'), sentence: 'Deep house from Durban.' });
    const feed = await readFeed();
    expect(feed).toMatch(/Deep house from Durban\. A /);
    const [, path = ''] = /<itunes:image href="[^"]*(\/feed\/artwork[^"]*)"/.exec(feed) ?? [];
    const artwork = await test.app.inject({ url: path.replaceAll('&amp;', '&') });
    expect(artwork.headers['content-type']).toBe('image/jpeg');
    expect(await sharp(artwork.rawPayload).metadata()).toMatchObject({ width: 1400, height: 1400 });
  });
});
