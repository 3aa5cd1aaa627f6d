import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { coverArt } from '#contract/rules/cover-art.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { TracksTable } from '../../db/tables.ts';
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
      'og:image': `${ORIGIN}/media/covers/abc.webp`,
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

  it('shows the drawn sleeve of the track if it has no cover', async () => {
    const track = await seed();
    const meta = readMeta((await open(`/track/${track.id}`)).body);
    expect(meta).toMatchObject({
      'og:image': `${ORIGIN}/media/sleeves/${track.id}.png`,
      'og:image:width': '1200',
      'og:image:height': '630',
      'twitter:card': 'summary_large_image',
    });
    const draft = await seed({ publish_at: null });
    for (const [name, width, height] of [
      [`${track.id}.png`, 1200, 630],
      [`${track.id}-square.png`, 512, 512],
      ['46.png', 1200, 630],
      ['46-square.png', 512, 512],
    ] as const) {
      const picture = await test.app.inject({ url: `/media/sleeves/${name}` });
      expect(picture.headers).toMatchObject({
        'content-type': 'image/png',
        'cache-control': 'public, max-age=604800',
      });
      expect(await sharp(picture.rawPayload).metadata()).toMatchObject({ width, height });
    }
    const unknown = ['0.png', '54.png', '46', '046.png', '46-round.png', '%00.png'];
    for (const name of [...unknown, `${draft.id}.png`])
      expect((await test.app.inject({ url: `/media/sleeves/${name}` })).statusCode).toBe(404);
  });

  it('has the same sleeve as on pages, different from that of another track of its week', async () => {
    const [first, second] = [await seed(), await seed()];
    const draw = async (url: string) =>
      sharp((await test.app.inject({ url })).rawPayload)
        .removeAlpha()
        .raw()
        .toBuffer();
    const differ = (a: Buffer, b: Buffer) =>
      a.reduce((sum, value, i) => sum + Math.abs(value - (b[i] ?? 0)), 0) / a.length / 255;
    const square = await draw(`/media/sleeves/${first.id}-square.png`);
    const other = await draw(`/media/sleeves/${second.id}-square.png`);
    expect(differ(square, other)).toBeGreaterThan(0.02);
    const page = coverArt({ week: first.week, trackId: first.id, size: 512 });
    const drawn = await sharp(Buffer.from(page)).removeAlpha().raw().toBuffer();
    expect(differ(square, drawn)).toBeLessThan(0.01);
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

  it('says nothing about a track that is not public', async () => {
    const now = test.clock.now();
    const hidden = [
      await seed({ title: 'Secret draft', publish_at: null }),
      await seed({ title: 'Secret early', publish_at: now + 1000 }),
      await seed({ title: 'Secret processing', status: 'processing' }),
      await seed({ title: 'Secret premium', is_subscriber_only: 1 }),
    ];
    const plain = (await open('/library')).body;
    const paths = hidden.map((track) => `/track/${track.id}`);
    for (const path of [...paths, '/track/unknown', '/track/%00', '/track/a/b'])
      expect((await open(path)).body).toBe(plain);
  });

  it('still opens when the database fails', async () => {
    const track = await seed();
    const plain = (await open('/library')).body;
    await test.deps.database.db.schema.alterTable('tracks').renameTo('tracks_gone').execute();
    const response = await open(`/track/${track.id}`);
    await test.deps.database.db.schema.alterTable('tracks_gone').renameTo('tracks').execute();
    expect(response.body).toBe(plain);
    expect(test.logText()).toContain('Building the head of a page failed.');
  });
});
