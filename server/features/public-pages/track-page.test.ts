import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { TracksTable } from '../../db/types/tables.ts';
import { seedTrack } from '../../testing/seed-track.ts';
import { createTestApp, type TestApp } from '../../testing/test-app.ts';
import { createSubscriber } from '../../testing/test-user.ts';

const ORIGIN = 'https://mixes.example.com';

let folder: string;
let test: TestApp;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'test-web-'));
  await mkdir(join(folder, 'assets'));
  const template = await readFile(join(import.meta.dirname, '../../../web/index.html'), 'utf8');
  await writeFile(join(folder, 'index.html'), template);
  test = await createTestApp({ config: { webRoot: folder, appOrigin: ORIGIN } });
});
afterEach(async () => {
  await test.close();
  await rm(folder, { recursive: true, force: true });
});

const seed = (change: Partial<TracksTable> = {}) => {
  const { database, storage, clock } = test.deps;
  return seedTrack({ db: database.db, storage, now: clock.now() }, change);
};

const open = (path: string) =>
  test.app.inject({ method: 'GET', url: path, headers: { accept: 'text/html' } });

function readMeta(html: string): Record<string, string> {
  const found = html.matchAll(/<meta (?:name|property)="([^"]+)" content="([^"]*)" \/>/g);
  return Object.fromEntries([...found].map(([, name = '', content = '']) => [name, content]));
}

const readData = (html: string): unknown =>
  JSON.parse(/<script type="application\/ld\+json">([\s\S]*?)<\/script>/.exec(html)?.[1] ?? 'null');

describe('a link to a track', () => {
  it('shows its title, description and a public picture', async () => {
    const track = await seed({ cover_key: 'covers/abc.webp', play_count: 7 });
    const response = await open(`/track/${track.id}`);
    expect(response.statusCode).toBe(200);
    const url = `${ORIGIN}/track/${track.id}`;
    expect(response.body).toContain('<title>Golden Hour Pressure · Weekender</title>');
    expect(response.body).toContain(`<link rel="canonical" href="${url}" />`);
    expect(readMeta(response.body)).toMatchObject({
      description: 'Log drums at walking pace.',
      'og:type': 'music.song',
      'og:site_name': 'Weekender',
      'og:title': 'Golden Hour Pressure · Week 46, 2026 · Amapiano',
      'og:description': 'Log drums at walking pace.',
      'og:url': url,
      'og:image': expect.stringMatching(`^${ORIGIN}/media/cards/${track.id}.png\\?v=`),
      'twitter:card': 'summary_large_image',
    });
    expect(readData(response.body)).toMatchObject({
      '@type': 'MusicRecording',
      name: 'Golden Hour Pressure',
      url,
      genre: 'Amapiano',
      duration: 'PT1M35S',
      datePublished: '2026-11-15',
      audio: {
        '@type': 'AudioObject',
        contentUrl: expect.stringContaining(`${ORIGIN}/media/tracks/${track.id}/preview?v=`),
      },
    });
  });

  it('lets link previews play the preview, and nothing else', async () => {
    const track = await seed();
    const { client } = await createSubscriber(test);
    const page = { url: `/track/${track.id}`, headers: { accept: 'text/html' } };
    const asSubscriber = await client.request({ method: 'GET', ...page });
    for (const { body } of [await open(page.url), asSubscriber]) {
      const audio = readMeta(body)['og:audio'] ?? '';
      expect(audio).toContain(`${ORIGIN}/media/tracks/${track.id}/preview?v=`);
      expect(readMeta(body)['og:audio:type']).toBe('audio/mpeg');
      const file = await test.app.inject({ url: audio.slice(ORIGIN.length) });
      expect(file.statusCode).toBe(200);
      expect(file.body).toContain('PREVIEW:');
      expect(body).not.toMatch(/\/(?:stream|dataSaver|mp3|flac)\?/);
    }
  });

  it('says what the mix is without scripts, too', async () => {
    const track = await seed({ title: 'Log <drums>' });
    const { body } = await open(`/track/${track.id}`);
    const plain = /<noscript>([\s\S]*?)<\/noscript>/.exec(body)?.[1] ?? '';
    expect(plain).toContain('<h1>Log &lt;drums&gt;</h1>');
    expect(plain).toContain(`href="/login?next=%2Ftrack%2F${track.id}"`);
  });

  it('is the same for subscribers', async () => {
    const track = await seed();
    const { client } = await createSubscriber(test);
    const options = { url: `/track/${track.id}`, headers: { accept: 'text/html' } };
    const asSubscriber = await client.request({ method: 'GET', ...options });
    expect(asSubscriber.body).toBe((await open(`/track/${track.id}`)).body);
    expect(asSubscriber.body).not.toContain('/stream');
  });

  it('escapes titles and descriptions, within the content security policy', async () => {
    const evil = `</title></script><script>alert("1")</script>'&$&`;
    const track = await seed({ title: evil, description: `${evil}\n\n${'long '.repeat(200)}` });
    const { body, headers } = await open(`/track/${track.id}`);
    expect(body).not.toContain('<script>alert');
    expect(body.match(/<\/title>/g)).toHaveLength(1);
    expect(readData(body)).toMatchObject({ name: evil });
    expect(readMeta(body).description?.length).toBeLessThan(600);
    const plain = await open('/');
    expect(headers['content-security-policy']).toBe(plain.headers['content-security-policy']);
    expect(headers.etag).not.toBe(plain.headers.etag);
  });

  it('is not found if visitors may not know of the track, and says nothing about it', async () => {
    const now = test.clock.now();
    const hidden = [
      await seed({ title: 'Secret draft', publish_at: null }),
      await seed({ title: 'Secret early', publish_at: now + 1000 }),
      await seed({ title: 'Secret processing', status: 'processing' }),
    ];
    const { body: plain, statusCode } = await open('/no-such-page');
    expect(statusCode).toBe(404);
    const paths = hidden.map((track) => `/track/${track.id}`);
    for (const path of [
      ...paths,
      '/track/unknown',
      '/track/%00',
      '/track/a/b',
      '/track//unknown',
    ]) {
      const page = await open(path);
      expect([path, page.statusCode]).toEqual([path, 404]);
      expect(page.body).toBe(plain);
    }
  });

  it('says nothing about a track for subscribers', async () => {
    const track = await seed({ title: 'Secret premium', is_subscriber_only: 1 });
    const page = await open(`/track/${track.id}`);
    expect(page.statusCode).toBe(200);
    expect(page.body).toBe((await open('/library')).body);
    expect(page.body).toContain('<meta name="robots" content="noindex" />');
  });

  it('still opens when the database fails', async () => {
    const track = await seed();
    const plain = (await open('/library')).body;
    await test.deps.database.db.schema.alterTable('tracks').renameTo('tracks_gone').execute();
    const response = await open(`/track/${track.id}`);
    await test.deps.database.db.schema.alterTable('tracks_gone').renameTo('tracks').execute();
    expect(response.statusCode).toBe(200);
    expect(response.body).toBe(plain.replace('<meta name="robots" content="noindex" />\n', ''));
    expect(test.logText()).toContain('Building the head of a page failed.');
  });
});
