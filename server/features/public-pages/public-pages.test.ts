import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { listPagePaths, PUBLIC_PATHS } from '#contract/page-paths.ts';
import { buildTrack } from '../../db/build-rows.ts';
import type { TracksTable } from '../../db/types/tables.ts';
import { seedTrack } from '../../testing/seed-track.ts';
import { createTestApp, type TestApp } from '../../testing/test-app.ts';
import { createUser } from '../../testing/test-user.ts';
import { consumeRateLimit } from '../../http/route/rate-limit.ts';
import { drawnCards } from './send-picture.ts';
import { MAX_TRACKS } from './sitemap.ts';

const ORIGIN = 'https://mixes.example.com';
const SITE_NAME = 'Deep </title></script> & "House"';

let folder: string;
let test: TestApp;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'test-pages-'));
  await mkdir(join(folder, 'assets'));
  const template = await readFile(join(import.meta.dirname, '../../../web/index.html'), 'utf8');
  await writeFile(join(folder, 'index.html'), template);
  test = await createTestApp({
    env: { SITE_NAME },
    config: { webRoot: folder, appOrigin: ORIGIN },
  });
});
afterEach(async () => {
  await test.close();
  await rm(folder, { recursive: true, force: true });
});

const seed = (change: Partial<TracksTable> = {}) => {
  const { database, storage, clock } = test.deps;
  return seedTrack({ db: database.db, storage, now: clock.now() }, change);
};

const open = (url: string, headers: Record<string, string> = {}) =>
  test.app.inject({ method: 'GET', url, headers: { accept: 'text/html', ...headers } });

function readMeta(html: string): Record<string, string> {
  const found = html.matchAll(/<meta (?:name|property)="([^"]+)" content="([^"]*)" \/>/g);
  return Object.fromEntries([...found].map(([, name = '', content = '']) => [name, content]));
}

const readData = (html: string): Record<string, unknown> =>
  JSON.parse(/<script type="application\/ld\+json">([^<]*)<\/script>/.exec(html)?.[1] ?? 'null');

describe('a public page', () => {
  it.each(PUBLIC_PATHS)(
    'at %s has all that search engines and link previews show',
    async (path) => {
      const { body, statusCode } = await open(path);
      expect(statusCode).toBe(200);
      expect(body.match(/<title>/g)).toHaveLength(1);
      expect(body).toMatch(
        /<title>[^<]+ · Deep &lt;\/title&gt;&lt;\/script&gt; &amp; &quot;House&quot;<\/title>/,
      );
      expect(body).toContain(`<link rel="canonical" href="${ORIGIN}${path}" />`);
      const meta = readMeta(body);
      expect(meta).toMatchObject({
        'og:url': `${ORIGIN}${path}`,
        'og:type': 'website',
        'og:image': expect.stringMatching(`^${ORIGIN}/media/cards/site\\.png\\?v=`),
        'og:image:width': '1200',
        'og:image:height': '630',
        'twitter:card': 'summary_large_image',
      });
      expect(meta.description?.length).toBeGreaterThan(40);
      expect(meta.robots).toBeUndefined();
      expect(readData(body)).toMatchObject({
        '@context': 'https://schema.org',
        url: `${ORIGIN}${path}`,
      });
    },
  );

  it('has its own title and description', async () => {
    const pages = await Promise.all(PUBLIC_PATHS.map((path) => open(path)));
    const titles = pages.map(({ body }) => /<title>([^<]*)/.exec(body)?.[1]);
    const descriptions = pages.map(({ body }) => readMeta(body).description);
    expect(new Set(titles).size).toBe(PUBLIC_PATHS.length);
    expect(new Set(descriptions).size).toBe(PUBLIC_PATHS.length);
  });

  it('never repeats a forged host', async () => {
    const forged = { host: 'evil.example', 'x-forwarded-host': 'evil.example' };
    for (const path of ['/', '/top-20', '/robots.txt', '/sitemap.xml', '/no-such-page'])
      for (const headers of [forged, {}])
        expect((await open(path, headers)).body).not.toContain('evil.example');
  });

  it('with prices names them as offers', async () => {
    expect(readData((await open('/landing')).body)).toMatchObject({
      '@type': 'Product',
      offers: [
        { name: 'Monthly', price: '79.00', priceCurrency: 'ZAR' },
        { name: 'Annual', price: '790.00', priceCurrency: 'ZAR' },
      ],
    });
  });

  it('with the chart lists it', async () => {
    const { database, clock } = test.deps;
    const [first, early] = [await seed(), await seed({ publish_at: clock.now() + 1000 })];
    await database.db
      .insertInto('charts')
      .values({ chart: 'live', as_of: clock.now(), from_day: '2026-11-09', to_day: '2026-11-15' })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    await database.db
      .insertInto('chart_entries')
      .values(
        [first, early].map((track, index) => ({
          chart: 'live',
          rank: index + 1,
          track_id: track.id,
          subscriber_days: 3,
          free_days: 1,
          previous_rank: null,
          peak: 1,
          weeks_on_chart: 1,
          recent: '[]',
        })),
      )
      .execute();
    expect(readData((await open('/top-20')).body)).toMatchObject({
      '@type': 'ItemList',
      itemListElement: [{ position: 1, url: `${ORIGIN}/track/${first.id}` }],
    });
  });
});

describe('robots.txt', () => {
  it('keeps search engines from all but public pages and tracks, and names the sitemap', async () => {
    const { body, headers } = await open('/robots.txt');
    expect(headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(body).toContain(`Sitemap: ${ORIGIN}/sitemap.xml`);
    const rules = [...body.matchAll(/^Disallow: (.+)$/gm)].map(([, path = '']) => path);
    const isAllowed = (path: string) => !rules.some((rule) => path.startsWith(rule));
    const allowed = listPagePaths().filter((path) => isAllowed(path));
    const linked = ['/about', '/artist/:id', '/clip/:id', '/letters', '/letters/:id', '/track/:id'];
    expect(allowed.toSorted()).toEqual([...PUBLIC_PATHS, ...linked].toSorted());
    expect(isAllowed('/api/tracks')).toBe(false);
    expect(isAllowed('/media/cards/site.png')).toBe(true);
    expect(isAllowed('/media/tracks/x/preview')).toBe(true);
    expect(isAllowed('/assets/app.js')).toBe(true);
  });
});

const readUrls = (xml: string): string[] =>
  [...xml.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, url = '']) => url);

describe('the sitemap', () => {
  it('has the public pages and tracks, and nothing that visitors may not see', async () => {
    const now = test.clock.now();
    const track = await seed({ updated_at: Date.UTC(2026, 10, 14) });
    await seed({ publish_at: null });
    await seed({ publish_at: now + 1000 });
    await seed({ is_subscriber_only: 1 });
    await seed({ status: 'processing' });
    const { body, headers } = await open('/sitemap.xml');
    expect(headers['content-type']).toBe('application/xml; charset=utf-8');
    const pages = PUBLIC_PATHS.filter((path) => path !== '/login' && path !== '/register');
    expect(readUrls(body)).toEqual([...pages, `/track/${track.id}`].map((path) => ORIGIN + path));
    expect(body).toContain(`${track.id}</loc><lastmod>2026-11-15</lastmod>`);
    expect(body).toContain(`${ORIGIN}/</loc><lastmod>2026-11-15</lastmod>`);
  });

  it('changes with the catalogue and the time', async () => {
    const hour = 3_600_000;
    const later = await seed({ publish_at: test.clock.now() + hour });
    expect((await open('/sitemap.xml')).body).not.toContain(later.id);
    test.clock.advance(2 * hour);
    expect((await open('/sitemap.xml')).body).toContain(later.id);
    await test.deps.database.db
      .updateTable('tracks')
      .set({ publish_at: null })
      .where('id', '=', later.id)
      .execute();
    expect((await open('/sitemap.xml')).body).not.toContain(later.id);
  });

  it('is sent compressed to clients that accept it', async () => {
    const { id } = await seed();
    const response = await open('/sitemap.xml', { 'accept-encoding': 'gzip' });
    expect(response.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(response.rawPayload).toString()).toContain(id);
  });

  it('of many tracks has several parts', async () => {
    const now = test.clock.now();
    const rows = Array.from({ length: MAX_TRACKS + 1 }, (_, index) =>
      buildTrack({
        id: `track-${String(index).padStart(5, '0')}`,
        title: 'Many',
        year: 2000,
        week: 1,
        status: 'ready',
        publish_at: now - 1000,
        created_at: now,
      }),
    );
    for (let start = 0; start < rows.length; start += 500)
      await test.deps.database.db
        .insertInto('tracks')
        .values(rows.slice(start, start + 500))
        .execute();
    const index = await open('/sitemap.xml');
    expect(index.body).toContain('<sitemapindex');
    expect(readUrls(index.body)).toEqual(
      [1, 2].map((part) => `${ORIGIN}/sitemap.xml?part=${part}`),
    );
    const parts = await Promise.all(
      readUrls(index.body).map(async (url) =>
        readUrls((await open(url.slice(ORIGIN.length))).body),
      ),
    );
    const tracks = parts.flat().filter((url) => url.includes('/track/'));
    expect(new Set(tracks).size).toBe(rows.length);
    expect(Math.max(...parts.map((urls) => urls.length))).toBeLessThan(50_000);
    for (const part of ['0', '3', 'x', '1&part=2', '99999999'])
      expect((await open(`/sitemap.xml?part=${part}`)).statusCode).toBe(404);
  });
});

describe('a shared playlist', () => {
  it('is not found once its link is turned off', async () => {
    const { client } = await createUser(test, 'ayanda');
    const playlist = await client.request({
      method: 'POST',
      url: '/api/playlists',
      payload: { name: 'Secret list' },
    });
    const { id } = playlist.json<{ id: string }>();
    const share = `/api/playlists/${id}/share`;
    const shared = await client.request({ method: 'PUT', url: share });
    const { shareToken: token } = shared.json<{ shareToken: string }>();
    const page = await open(`/shared/${token}`);
    expect(page.statusCode).toBe(200);
    expect(page.body).not.toContain('Secret list');
    expect(page.body).toContain('<meta name="robots" content="noindex" />');
    await client.request({ method: 'DELETE', url: share });
    test.clock.advance(60_000);
    const asOwner = {
      method: 'GET',
      url: `/shared/${token}`,
      headers: { accept: 'text/html' },
    } as const;
    expect((await client.request(asOwner)).statusCode).toBe(404);
    for (const unknown of [token, 'unknown', '%00', '%E0%A4'])
      expect((await open(`/shared/${unknown}`)).statusCode).not.toBe(200);
    expect((await open('/playlist/anything')).statusCode).toBe(200);
  });
});

it.each([
  ['2026', 200],
  ['2025', 404],
  ['2027', 404],
  ['99999', 404],
  ['next', 404],
  ['%00', 404],
])('the page of a year exists if it has a mix: %s', async (year, status) => {
  await seed({ is_subscriber_only: 1 });
  await seed({ year: 2027 });
  expect((await open(`/year/${year}`)).statusCode).toBe(status);
});

describe('the picture of a link', () => {
  it('shows the site or the track, in the size of link previews', async () => {
    const track = await seed();
    for (const page of ['/', `/track/${track.id}`]) {
      const url = readMeta((await open(page)).body)['og:image'] ?? '';
      const picture = await test.app.inject({ url: url.slice(ORIGIN.length) });
      expect(picture.headers).toMatchObject({
        'content-type': 'image/png',
        'cache-control': 'public, max-age=604800',
      });
      expect(await sharp(picture.rawPayload).metadata()).toMatchObject({
        width: 1200,
        height: 630,
      });
    }
  });

  it('shows the cover if the track has one, and has another address when that changes', async () => {
    const cover = { width: 100, height: 100, channels: 3, background: '#00ff00' } as const;
    await test.deps.storage.put(
      'covers/abc.webp',
      await sharp({ create: cover }).webp().toBuffer(),
    );
    const track = await seed({ cover_key: 'covers/abc.webp' });
    const find = async () => {
      test.clock.advance(60_000);
      return readMeta((await open(`/track/${track.id}`)).body)['og:image'] ?? '';
    };
    const url = await find();
    const { rawPayload } = await test.app.inject({ url: url.slice(ORIGIN.length) });
    const [r, g, b] = await sharp(rawPayload)
      .extract({ left: 300, top: 300, width: 1, height: 1 })
      .removeAlpha()
      .raw()
      .toBuffer();
    expect([r, b]).toEqual([expect.closeTo(0, -1.5), expect.closeTo(0, -1.5)]);
    expect(g).toBeGreaterThan(240);
    await test.deps.database.db
      .updateTable('tracks')
      .set({ title: 'Another title' })
      .where('id', '=', track.id)
      .execute();
    expect(await find()).not.toBe(url);
  });

  it('has other shapes for posts, of the track and of its week', async () => {
    const track = await seed();
    const sizes = [
      [`/media/cards/${track.id}.square.png`, 1080, 1080],
      ['/media/cards/weeks/2026-46.story.png', 1080, 1920],
    ] as const;
    for (const [url, width, height] of sizes) {
      const picture = await test.app.inject({ url });
      // Its address stays the same when it changes.
      expect(picture.headers).toMatchObject({
        'content-type': 'image/png',
        'cache-control': 'public, no-cache',
      });
      expect(await sharp(picture.rawPayload).metadata()).toMatchObject({ width, height });
      const headers = { 'if-none-match': String(picture.headers.etag) };
      expect((await test.app.inject({ url, headers })).statusCode).toBe(304);
    }
  });

  it('of a week shows only what everyone may see', async () => {
    await seed({ week: 20, publish_at: null });
    await seed({ week: 20, publish_at: test.clock.now() + 1000 });
    await seed({ week: 20, is_subscriber_only: 1 });
    const names = ['2026-20', '2026-0', '2026-54', '2026-046', '0-20', '2026', '2026-20-1', 'x'];
    for (const name of names)
      for (const file of [`${name}.png`, `${name}.square.png`, `${name}.gif`]) {
        const { statusCode } = await test.app.inject({ url: `/media/cards/weeks/${file}` });
        expect([file, statusCode]).toEqual([file, 404]);
      }
  });

  it('exists only for tracks that everyone may see', async () => {
    const hidden = [
      await seed({ publish_at: null }),
      await seed({ publish_at: test.clock.now() + 1000 }),
      await seed({ is_subscriber_only: 1 }),
    ];
    for (const name of [...hidden.map(({ id }) => id), 'unknown', '%00', '..%2fsite'])
      for (const file of [`${name}.png`, `${name}.story.png`])
        expect((await test.app.inject({ url: `/media/cards/${file}` })).statusCode).toBe(404);
  });

  it('can’t be asked for without end', async () => {
    const track = await seed();
    const ask = () => test.app.inject({ url: `/media/cards/${track.id}.png` });
    await ask();
    for (let use = 0; use < 70; use++) expect((await ask()).statusCode).toBe(200);
    for (let use = 0; use < 59; use++) await limitOnce();
    const other = await seed();
    const refused = await test.app.inject({ url: `/media/cards/${other.id}.png` });
    expect(refused.statusCode).toBe(429);
  });
});

/** Takes one use from the limit of drawn cards without drawing one. */
async function limitOnce() {
  const { database, clock } = test.deps;
  await consumeRateLimit(database.db, { rule: drawnCards, subject: '127.0.0.1' }, clock.now());
}
