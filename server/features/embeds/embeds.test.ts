import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DEFAULT_LOOK } from '#contract/look.ts';
import type { TracksTable } from '../../db/types/tables.ts';
import { hashSource } from '../../http/send/security-headers.ts';
import { seedTrack } from '../../testing/seed-track.ts';
import { createTestApp, type TestApp } from '../../testing/test-app.ts';
import { createSubscriber } from '../../testing/test-user.ts';
import { buildMissingEmbed } from './embed-page.ts';

const ORIGIN = 'https://mixes.example.com';

let test: TestApp;
beforeEach(async () => {
  test = await createTestApp({ config: { appOrigin: ORIGIN } });
});
afterEach(() => test.close());

const seed = (change: Partial<TracksTable> = {}) => {
  const { database, storage, clock } = test.deps;
  return seedTrack({ db: database.db, storage, now: clock.now() }, change);
};

const open = (url: string, headers: Record<string, string> = {}) =>
  test.app.inject({ method: 'GET', url, headers: { accept: 'text/html', ...headers } });

const readPolicy = (policy: unknown): Record<string, string> =>
  Object.fromEntries(
    String(policy)
      .split('; ')
      .map((rule) => [rule.split(' ', 1)[0], rule.slice(rule.indexOf(' ') + 1)]),
  );

describe('an embed', () => {
  it('shows a mix and plays its preview, and nothing else, whoever looks at it', async () => {
    const track = await seed();
    const { client } = await createSubscriber(test);
    const { body, headers, cookies } = await open(`/embed/track/${track.id}`);
    expect(body).toContain('<h1>Golden Hour Pressure</h1>');
    expect(body).toContain('Week 46, 2026 · Amapiano · 1:35');
    expect(body).toContain('src="/media/sleeves/');
    expect(body).toContain(`href="/track/${track.id}" target="_blank" rel="noopener"`);
    const files = [...body.matchAll(/<audio[^>]* src="([^"]+)"/g)].map(([, url = '']) => url);
    expect(new Set(files).size).toBe(1);
    const file = await test.app.inject({ url: files[0] ?? '' });
    expect(file.body).toContain('PREVIEW:');
    expect(body).not.toMatch(/\/(?:stream|dataSaver|mp3|flac)\b/);
    expect(cookies).toEqual([]);
    expect(headers.vary).toBe('accept-encoding');
    const asSubscriber = await client.request({ url: `/embed/track/${track.id}` });
    expect(asSubscriber.body).toBe(body);
    expect(asSubscriber.cookies).toEqual([]);
  });

  it('may be framed by anyone, and can do nothing but play', async () => {
    const track = await seed();
    const { body, headers } = await open(`/embed/track/${track.id}`);
    const [style = '', script = ''] = ['style', 'script'].map(
      (name) => new RegExp(`<${name}>([\\s\\S]*?)</${name}>`).exec(body)?.[1] ?? '',
    );
    expect(readPolicy(headers['content-security-policy'])).toEqual({
      'default-src': "'none'",
      'script-src': hashSource(script),
      'style-src': hashSource(style),
      'font-src': `'self' ${ORIGIN}`,
      'img-src': `'self' ${ORIGIN}`,
      'media-src': `'self' ${ORIGIN}`,
      'base-uri': "'none'",
      'form-action': "'none'",
      sandbox: 'allow-scripts allow-popups allow-popups-to-escape-sandbox',
    });
    // It has no origin, so fonts must be for everyone.
    const fonts = [...style.matchAll(/url\((\/fonts\/[^)]+)\)/g)].map(([, url = '']) => url);
    expect(fonts).toHaveLength(2);
    for (const url of fonts)
      expect((await test.app.inject({ url })).headers).toMatchObject({
        'content-type': 'font/woff2',
        'access-control-allow-origin': '*',
        'cross-origin-resource-policy': 'cross-origin',
      });
    expect(body.match(/<script/g)).toHaveLength(1);
    expect(body).not.toMatch(/ (?:style|on\w+)="/);
    expect(script).not.toMatch(/fetch|XMLHttpRequest|cookie|Storage|parent|opener/);
    // All that it says to other frames, and all that it listens to.
    expect(script.match(/postMessage\(.*?\)/g)).toEqual(["postMessage('embed:playing', '*')"]);
    expect(script.match(/onmessage.*|'message'.*/g)).toEqual([
      "onmessage = ({ data }) => { if (data === 'embed:playing') audio.pause(); };",
    ]);
    expect(headers['x-frame-options']).toBeUndefined();
  });

  it('is a few kilobytes, compressed for those who accept it', async () => {
    const track = await seed();
    const plain = await open(`/embed/track/${track.id}`);
    const packed = await open(`/embed/track/${track.id}`, { 'accept-encoding': 'gzip, br' });
    expect(packed.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(packed.rawPayload).toString()).toBe(plain.body);
    expect(plain.rawPayload.length).toBeLessThan(12_000);
    expect(packed.rawPayload.length).toBeLessThan(5_000);
  });

  it('isn’t sent again until the mix changes', async () => {
    const track = await seed();
    const first = await open(`/embed/track/${track.id}`);
    const etag = String(first.headers.etag);
    expect(first.headers['cache-control']).toBe('public, max-age=300');
    const same = await open(`/embed/track/${track.id}`, { 'if-none-match': etag });
    expect([same.statusCode, same.body]).toEqual([304, '']);
    await test.deps.database.db
      .updateTable('tracks')
      .set({ title: 'Another title' })
      .where('id', '=', track.id)
      .execute();
    const changed = await open(`/embed/track/${track.id}`, { 'if-none-match': etag });
    expect([changed.statusCode, changed.body]).toEqual([
      200,
      expect.stringContaining('Another title'),
    ]);
  });

  it('is light or dark as the viewer likes, or as the address says', async () => {
    const track = await seed();
    const read = async (query: string) => {
      const { body, statusCode } = await open(`/embed/track/${track.id}${query}`);
      return [statusCode, [...body.matchAll(/prefers-color-scheme|color-scheme:\w+/g)].join(' ')];
    };
    const byDevice = 'color-scheme:dark prefers-color-scheme color-scheme:light';
    expect(await read('')).toEqual([200, byDevice]);
    expect(await read('?theme=light')).toEqual([200, 'color-scheme:light']);
    expect(await read('?theme=dark')).toEqual([200, 'color-scheme:dark']);
    for (const odd of ['?theme=', '?theme=red', '?theme=dark&theme=light', '?theme[]=dark'])
      expect(await read(odd)).toEqual([200, byDevice]);
  });

  it('is one small page, frameable too, for every mix that visitors may not hear', async () => {
    const now = test.clock.now();
    const hidden = [
      await seed({ title: 'Secret draft', publish_at: null }),
      await seed({ title: 'Secret early', publish_at: now + 1000 }),
      await seed({ title: 'Secret processing', status: 'processing' }),
      await seed({ title: 'Secret premium', is_subscriber_only: 1 }),
    ];
    const { client } = await createSubscriber(test);
    const unknown = await open('/embed/track/unknown');
    expect(unknown.body).toContain('This mix isn’t available');
    for (const id of [...hidden.map((track) => track.id), '%00', '..%2f..%2f', '<script>']) {
      const url = `/embed/track/${id}`;
      for (const page of [await open(url), await client.request({ url })]) {
        expect([id, page.statusCode]).toEqual([id, 404]);
        expect(page.body).toBe(unknown.body);
        expect(page.headers).toMatchObject({
          'cache-control': 'no-store',
          'content-security-policy': expect.not.stringContaining('frame-ancestors'),
        });
      }
    }
    const [, early] = hidden;
    test.clock.advance(2000);
    expect((await open(`/embed/track/${early?.id}`)).statusCode).toBe(200);
  });

  it('stops showing a mix that was taken down', async () => {
    const track = await seed();
    expect((await open(`/embed/track/${track.id}`)).statusCode).toBe(200);
    const { db } = test.deps.database;
    await db.updateTable('tracks').set({ publish_at: null }).where('id', '=', track.id).execute();
    expect((await open(`/embed/track/${track.id}`)).statusCode).toBe(404);
  });

  it('never becomes markup or script of a title', async () => {
    const evil = `</title></script><script>alert("1")</script><img src=x onerror=alert(1)>'&$&`;
    const track = await seed({ title: evil, genre: evil });
    const { body } = await open(`/embed/track/${track.id}`);
    expect(body.match(/<script/g)).toHaveLength(1);
    expect(body.match(/<img/g)).toHaveLength(1);
    expect(body).toContain('&lt;img src=x');
  });
});

it('an embed may load its preview from the store that we redirect to', () => {
  const look = { ...DEFAULT_LOOK, siteName: 'Weekender' };
  const site = { ...look, origin: ORIGIN, store: 'https://files.example' };
  expect(readPolicy(buildMissingEmbed(site).policy)['media-src']).toBe(
    `'self' ${ORIGIN} https://files.example`,
  );
});

describe('other addresses', () => {
  it.each(['/', '/embed', '/embed/track/a/b', '/embed/', '/oembed', '/media/cards/site.png'])(
    'stay unframeable: %s',
    async (url) => {
      const { headers } = await open(url);
      expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
    },
  );
});
