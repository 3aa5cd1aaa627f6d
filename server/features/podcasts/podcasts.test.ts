import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { parseRssFeed } from 'feedsmith';
import { parseFeed } from 'podcast-partytime';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PodcastFeeds } from '#contract/clients/podcasts.ts';
import { EARLY_ACCESS_MS, GRACE_MS } from '#contract/rules/access.ts';
import { PREVIEW_SECONDS } from '#contract/rules/preview.ts';
import { DAY, HOUR } from '#contract/rules/time.ts';
import { buildTrack } from '../../db/build-rows.ts';
import { changeSettings } from '../../db/settings.ts';
import type { TracksTable } from '../../db/types/tables.ts';
import { loadSharp } from '../../ports/media/load-sharp.ts';
import { createFeed } from '../../testing/create-feed.ts';
import { fileBytes, seedTrack } from '../../testing/seed-track.ts';
import { createTestApp, type TestApp } from '../../testing/test-app.ts';
import { createSubscriber, MONTH, payUntil, type TestUser } from '../../testing/test-user.ts';
import { MAX_EPISODES } from './feed-template.ts';
import { buildPodcastGuid } from './podcast-guid.ts';

let test: TestApp;
let sipho: TestUser;
let url: string;
let origin: string;

const seed = (change: Partial<TracksTable> = {}) => {
  const { database, storage, clock } = test.deps;
  return seedTrack({ db: database.db, storage, now: clock.now() }, change);
};

beforeEach(async () => {
  test = await createTestApp();
  ({ origin } = test.deps.site);
  sipho = await createSubscriber(test);
  url = origin + (await createFeed(sipho.client));
});
afterEach(() => test.close());

/** Without a session, like a podcast app. */
async function load(address: string, headers: Record<string, string> = {}) {
  const response = await test.app.inject({ url: address.replace(origin, ''), headers });
  expect(response.statusCode).toBe(200);
  return response;
}

const readXml = async (address = url): Promise<string> => (await load(address)).body;

async function readWithPartytime(address = url) {
  const feed = parseFeed(await readXml(address), { allowMissingGuid: false });
  if (!feed) throw new Error('podcast-partytime read no feed.');
  return feed;
}

const readWithFeedsmith = async (address = url) => parseRssFeed(await readXml(address));

const listTitles = async (address = url) =>
  ((await readWithFeedsmith(address)).items ?? []).map(({ title }) => title);

const CHAPTERS = [
  { at: 0, title: 'Substation Intro', artist: 'Relay Room' },
  { at: null, title: 'White Label', artist: null },
  { at: 3750, title: 'Night Bus', artist: 'Thula' },
  { at: 250, title: 'Signal & Noise', artist: 'Relay <Room>' },
];

describe('the feed of a subscriber', () => {
  it('has what podcast apps need, according to podcast-partytime', async () => {
    await changeSettings(
      test.deps.database.db,
      { sellerEmail: 'music@site.example' },
      test.clock.now(),
    );
    const track = await seed({ chapters: JSON.stringify(CHAPTERS), duration_ms: 3_900_000 });
    const feed = await readWithPartytime();
    expect(feed).toMatchObject({
      title: 'Weekender',
      link: `${origin}/`,
      guid: buildPodcastGuid(`${origin}/feed`),
      locked: true,
      podcastOwner: 'music@site.example',
      itunesBlock: true,
      podcastBlocked: 'yes',
      itunesCategory: ['Music'],
      explicit: false,
      itunesImage: `${origin}/feed/artwork.png`,
      author: 'Weekender',
      pubsub: { self: url },
    });
    expect(feed.items).toHaveLength(1);
    const folder = `${url}/${track.id}`;
    const name = '2026-week-46-golden-hour-pressure';
    expect(feed.items[0]).toMatchObject({
      title: 'Golden Hour Pressure',
      guid: track.id,
      link: `${origin}/track/${track.id}`,
      duration: 3900,
      explicit: false,
      author: 'Weekender',
      itunesSeason: 2026,
      itunesEpisode: 46,
      itunesImage: `${origin}/media/sleeves/${track.id}-square.png`,
      enclosure: { url: `${folder}/full/${name}.mp3`, length: 4096, type: 'audio/mpeg' },
      podcastChapters: {
        url: `${folder}/chapters/${name}-chapters.json`,
        type: 'application/json+chapters',
      },
      podcastSoundbites: [
        { startTime: 30, duration: PREVIEW_SECONDS, title: 'Golden Hour Pressure' },
      ],
      podcastPeople: [{ name: 'Weekender', role: 'Host', href: `${origin}/` }],
      podcastSeason: { number: 2026 },
      podcastEpisode: { number: 46, display: 'Week 46' },
      alternativeEnclosures: [
        { type: 'audio/mpeg', default: true, source: [{ uri: `${folder}/full/${name}.mp3` }] },
        {
          type: 'audio/ogg',
          length: 4096,
          title: 'Data saver',
          default: false,
          source: [{ uri: `${folder}/saver/${name}-data-saver.ogg` }],
        },
        {
          type: 'audio/mpeg',
          title: 'High quality',
          source: [{ uri: `${folder}/best/${name}-high-quality.mp3` }],
        },
      ],
    });
  });

  it('says the same to feedsmith, with the id of the track as its guid', async () => {
    const track = await seed();
    const feed = await readWithFeedsmith();
    expect(feed).toMatchObject({
      itunes: { block: true, type: 'episodic', categories: [{ text: 'Music' }] },
      podcast: { locked: { value: true }, blocks: [{ value: true }], medium: 'podcast' },
      items: [
        {
          guid: { value: track.id, isPermaLink: false },
          enclosures: [{ length: 4096, type: 'audio/mpeg' }],
          itunes: { duration: 95, season: 2026, episode: 46, episodeType: 'full' },
        },
      ],
    });
    expect(Date.parse(feed.items?.[0]?.pubDate ?? '')).toBeLessThanOrEqual(test.clock.now());
  });

  it('announces exactly the bytes that come', async () => {
    await seed();
    const [item] = (await readWithFeedsmith()).items ?? [];
    const files = [
      ...(item?.enclosures ?? []),
      ...(item?.podcast?.alternateEnclosures ?? []).map(({ type, length, sources }) => ({
        url: sources?.[0]?.uri,
        type,
        length,
      })),
    ];
    const names = ['stream', 'stream', 'dataSaver', 'mp3'] as const;
    expect(files).toHaveLength(names.length);
    for (const [index, file] of files.entries()) {
      const { rawPayload, headers } = await load(file.url ?? '');
      expect(rawPayload).toEqual(fileBytes(names[index] ?? 'flac'));
      expect(rawPayload).toHaveLength(file.length ?? -1);
      expect(headers['content-type']).toBe(file.type);
    }
  });

  it('has the small files at its second address, as another podcast', async () => {
    const track = await seed();
    const saver = `${url}/data-saver`;
    expect(
      (await sipho.client.request({ url: '/api/me/podcast-feed' })).json<PodcastFeeds>().own,
    ).toMatchObject({ url, dataSaverUrl: saver });
    const feed = await readWithPartytime(saver);
    expect(feed).toMatchObject({
      title: 'Weekender (data saver)',
      guid: buildPodcastGuid(`${origin}/feed/data-saver`),
      itunesBlock: true,
    });
    const [item] = feed.items;
    expect(item?.guid).toBe(track.id);
    const { rawPayload, headers } = await load(item?.enclosure.url ?? '');
    expect(rawPayload).toEqual(fileBytes('dataSaver'));
    expect(item?.enclosure).toMatchObject({
      length: rawPayload.length,
      type: headers['content-type'],
    });
    const defaults = (item?.alternativeEnclosures ?? []).filter((one) => one.default);
    expect(defaults.map(({ title }) => title)).toEqual(['Data saver']);
    expect(await readXml(saver)).toContain(`href="${saver}" rel="self"`);

    // A mix from before there were small files is there all the same.
    await test.deps.database.db
      .deleteFrom('renditions')
      .where('track_id', '=', track.id)
      .where('name', '=', 'dataSaver')
      .execute();
    await test.deps.database.db
      .updateTable('tracks')
      .set({ title: 'Without' })
      .where('id', '=', track.id)
      .execute();
    const [without] = (await readWithPartytime(saver)).items;
    expect(without?.title).toBe('Without');
    expect((await load(without?.enclosure.url ?? '')).rawPayload).toEqual(fileBytes('stream'));
  });

  it('has timed chapters as a file, and the whole tracklist in the description', async () => {
    const track = await seed({ chapters: JSON.stringify(CHAPTERS), duration_ms: 3_900_000 });
    const [item] = (await readWithPartytime()).items;
    expect(item?.description).toContain('White Label<br />1:02:30 Thula – Night Bus<br />04:10');
    expect(await readXml()).toContain(
      '00:00 Relay Room – Substation Intro<br />White Label<br />1:02:30 Thula – Night Bus<br />04:10 Relay &lt;Room&gt; – Signal &amp; Noise',
    );
    const chapters = await load(item?.podcastChapters?.url ?? '');
    expect(chapters.headers['content-type']).toContain('application/json+chapters');
    expect(chapters.json()).toEqual({
      version: '1.2.0',
      title: track.title,
      podcastName: 'Weekender',
      chapters: [
        { startTime: 0, title: 'Relay Room – Substation Intro' },
        { startTime: 250, title: 'Relay <Room> – Signal & Noise' },
        { startTime: 3750, title: 'Thula – Night Bus' },
      ],
    });
  });

  it('names no file of chapters for a tracklist without times', async () => {
    await seed({ chapters: JSON.stringify([{ at: null, title: 'White Label', artist: null }]) });
    const [item] = (await readWithPartytime()).items;
    expect(item?.podcastChapters).toBeUndefined();
    expect(item?.description).toContain('White Label');
  });

  it('has an uploaded cover in the size and format that directories want', async () => {
    const sharp = await loadSharp();
    const picture = { width: 10, height: 10, channels: 3, background: '#f80' } as const;
    const cover = await sharp({ create: picture }).webp().toBuffer();
    await test.deps.storage.put('covers/abc123.webp', cover);
    await seed({ cover_key: 'covers/abc123.webp' });
    const [item] = (await readWithPartytime()).items;
    const { rawPayload, headers } = await load(item?.itunesImage ?? '');
    expect(headers['content-type']).toBe('image/jpeg');
    expect(await sharp(rawPayload).metadata()).toMatchObject({ format: 'jpeg', width: 1400 });
    for (const name of ['unknown.jpg', 'abc123.webp', '..%2fabc123.jpg', 'abc123.jpg%00'])
      expect((await test.app.inject(`/feed/covers/${name}`)).statusCode).toBe(404);
  });

  it('survives whatever someone writes into a title', async () => {
    const title = 'A & B <b>]]></title><item> “naïve” 🎧';
    await seed({ title: `${title}\u001b`, genre: '<&"\'>' });
    expect(await listTitles()).toEqual([title]);
    expect((await readWithFeedsmith()).items?.[0]).toMatchObject({
      title,
      categories: [{ name: '<&"\'>' }],
    });
  });

  it('has a mix when subscribers get it, dated then, and not before', async () => {
    const now = test.clock.now();
    await seed({ title: 'Early', publish_at: now + HOUR, created_at: now - 30 * DAY });
    await seed({ title: 'Scheduled', publish_at: now + EARLY_ACCESS_MS + HOUR, week: 47 });
    await seed({ title: 'Draft', publish_at: null });
    await seed({ title: 'For subscribers', is_subscriber_only: 1, week: 45 });
    const { items } = await readWithPartytime();
    expect(items.map(({ title }) => title)).toEqual(['Early', 'For subscribers']);
    expect(items[0]?.pubDate?.getTime()).toBe(now + HOUR - EARLY_ACCESS_MS);
    expect(await listTitles('/feed.xml')).toEqual([]);
    test.clock.advance(2 * HOUR);
    expect(await listTitles()).toEqual(['Scheduled', 'Early', 'For subscribers']);
    expect(await listTitles('/feed.xml')).toEqual(['Early']);
  });

  it('changes with the catalogue, at once', async () => {
    const track = await seed();
    expect(await listTitles()).toEqual(['Golden Hour Pressure']);
    const { db } = test.deps.database;
    await db.updateTable('tracks').set({ title: 'Renamed' }).execute();
    expect(await listTitles()).toEqual(['Renamed']);
    await db.updateTable('tracks').set({ publish_at: null }).where('id', '=', track.id).execute();
    expect(await listTitles()).toEqual([]);
  });

  it('has the newest episodes only, however many there are', async () => {
    const { db } = test.deps.database;
    const rows = Array.from({ length: MAX_EPISODES + 1 }, (_, index) =>
      buildTrack({
        id: `track-${index}`,
        title: `Mix ${index}`,
        year: 2010 + Math.floor(index / 50),
        week: 1 + (index % 50),
        status: 'ready',
        publish_at: 1000 + index,
        created_at: 1000,
      }),
    );
    for (let from = 0; from < rows.length; from += 100) {
      const part = rows.slice(from, from + 100);
      await db.insertInto('tracks').values(part).execute();
      const names = ['stream', 'preview'] as const;
      const files = part.flatMap(({ id: track_id }) =>
        names.map((name) => ({
          track_id,
          name,
          key: `tracks/${track_id}-${name}.bin`,
          size: 10,
          media_type: 'audio/mpeg',
        })),
      );
      await db.insertInto('renditions').values(files).execute();
    }
    const titles = await listTitles();
    expect(titles).toHaveLength(MAX_EPISODES);
    expect(titles[0]).toBe(`Mix ${MAX_EPISODES}`);
    expect(titles).not.toContain('Mix 0');
  });

  it('names the artists of a mix', async () => {
    const track = await seed();
    const { db } = test.deps.database;
    const now = test.clock.now();
    for (const [position, name] of ['Thula', 'Relay Room'].entries()) {
      const artist = { id: `artist-${position}`, name, name_key: name.toLowerCase() };
      await db
        .insertInto('artists')
        .values({
          ...artist,
          about: '',
          links: '[]',
          picture_key: null,
          version: 0,
          created_at: now,
          updated_at: now,
        })
        .execute();
      await db
        .insertInto('track_artists')
        .values({ track_id: track.id, artist_id: artist.id, position })
        .execute();
    }
    expect((await readWithPartytime()).items[0]).toMatchObject({
      author: 'Thula, Relay Room',
      podcastPeople: [
        { name: 'Thula', role: 'Host', href: `${origin}/artist/artist-0` },
        { name: 'Relay Room', role: 'Host', href: `${origin}/artist/artist-1` },
      ],
    });
  });
});

describe('the files of a feed', () => {
  const namesOf = async (address: string) => {
    const { items = [] } = await readWithFeedsmith(address);
    const urls = items.flatMap(({ enclosures = [], podcast }) => [
      ...enclosures.map((file) => file.url),
      ...(podcast?.alternateEnclosures ?? []).slice(1).map(({ sources }) => sources?.[0]?.uri),
      ...(podcast?.chapters ? [podcast.chapters.url] : []),
    ]);
    return urls.map((one) =>
      decodeURIComponent(new URL(one ?? '').pathname.split('/').at(-1) ?? ''),
    );
  };

  it('end with the name of their mix, so that a program that saves them by it keeps each', async () => {
    await seed({ title: 'Golden Hour Pressure' });
    await seed({ title: 'Golden Hour Pressure', week: 7 });
    await seed({ title: 'Golden Hour Pressure', year: 2025 });
    await seed({ title: 'Soirée — “Don’t Stop” / ../..%2f?#', week: 3 });
    expect(await namesOf('/feed.xml')).toEqual([
      '2026-week-46-golden-hour-pressure-preview.mp3',
      '2026-week-07-golden-hour-pressure-preview.mp3',
      '2026-week-03-soiree-dont-stop-2f-preview.mp3',
      '2025-week-46-golden-hour-pressure-preview.mp3',
    ]);
    const own = await namesOf(url);
    expect(own.slice(0, 4)).toEqual([
      '2026-week-46-golden-hour-pressure.mp3',
      '2026-week-46-golden-hour-pressure-data-saver.ogg',
      '2026-week-46-golden-hour-pressure-high-quality.mp3',
      '2026-week-46-golden-hour-pressure-chapters.json',
    ]);
    expect(new Set(own).size).toBe(16);
  });

  it('have names of their own also where titles are the same, long or in another script', async () => {
    const twins = [await seed({ title: 'Braai' }), await seed({ title: 'braai!' })];
    await seed({ title: 'Ночной автобус', week: 5 });
    await seed({ title: '夜のバス', week: 5 });
    await seed({ title: 'long '.repeat(24), week: 4 });
    await payUntil(test, sipho.user, test.clock.now() - GRACE_MS);
    for (const address of [url, '/feed.xml']) {
      const names = await namesOf(address);
      expect(new Set(names).size).toBe(names.length);
      for (const name of names) expect(name).toMatch(/^[a-z0-9-]{10,90}\.(mp3|ogg|json)$/);
      for (const { id } of twins)
        expect(names).toContain(`2026-week-46-braai-${id.slice(-8)}-preview.mp3`);
    }
  });

  it('are found whatever their name says, and at the addresses that apps remember', async () => {
    const { id } = await seed();
    await seed({ title: 'Night Bus', week: 45 });
    for (const [path, rendition] of [
      [`${url}/${id}/full/anything.mp3`, 'stream'],
      [`${url}/${id}/full/2026-week-45-night-bus.mp3`, 'stream'],
      [`${url}/${id}/saver/x`, 'dataSaver'],
      [`${url}/${id}/full.mp3`, 'stream'],
      [`${url}/${id}/saver.ogg`, 'dataSaver'],
      [`${url}/${id}/best.mp3`, 'mp3'],
      [`/feed/public/${id}/preview.mp3`, 'preview'],
      [`/feed/public/${id}/preview/2026-week-45-night-bus.mp3`, 'preview'],
    ] as const)
      expect((await load(path)).rawPayload).toEqual(fileBytes(rendition));
    const chapters = await load(`${url}/${id}/chapters.json`);
    expect((await load(`${url}/${id}/chapters/anything.json`)).json()).toEqual(chapters.json());
  });

  it('say that they are not explicit in the words of Apple’s rule', async () => {
    await seed();
    for (const address of [url, '/feed.xml']) {
      const marks = (await readXml(address)).match(/<itunes:explicit>.*<\/itunes:explicit>/g);
      expect(new Set(marks)).toEqual(new Set(['<itunes:explicit>false</itunes:explicit>']));
      expect(marks).toHaveLength(2);
    }
  });
});

describe('the public feed', () => {
  it('has previews of what visitors see, and is not blocked', async () => {
    const track = await seed({ chapters: JSON.stringify(CHAPTERS) });
    await seed({ title: 'For subscribers', is_subscriber_only: 1 });
    const feed = await readWithPartytime('/feed.xml');
    expect(feed).toMatchObject({
      title: 'Weekender: previews',
      guid: buildPodcastGuid(`${origin}/feed.xml`),
      itunesBlock: false,
      podcastBlocked: 'no',
    });
    expect(feed.items).toHaveLength(1);
    expect(feed.items[0]).toMatchObject({
      guid: track.id,
      duration: PREVIEW_SECONDS,
      enclosure: {
        url: `${origin}/feed/public/${track.id}/preview/2026-week-46-golden-hour-pressure-preview.mp3`,
        length: 4096,
        type: 'audio/mpeg',
      },
    });
    expect(feed.items[0]?.podcastChapters).toBeUndefined();
    expect(feed.items[0]?.podcastSoundbites).toBeUndefined();
    expect(feed.items[0]?.alternativeEnclosures).toBeUndefined();
    expect((await load(feed.items[0]?.enclosure.url ?? '')).rawPayload).toEqual(
      fileBytes('preview'),
    );
  });

  it('is named in the head of public pages', async () => {
    const { buildHead, insertHead } = await import('../../http/pages/page-head.ts');
    const card = { path: '/card.png', alt: '' };
    const head = buildHead(
      { origin, siteName: 'Weekender' },
      { path: '/', title: 'Home', description: '', card, data: { '@type': 'WebPage' } },
    );
    expect(insertHead('<title></title></head>', head)).toContain(
      `<link rel="alternate" type="application/rss+xml" href="${origin}/feed.xml" title="Weekender: previews" />`,
    );
  });

  it('is compressed for clients that accept it', async () => {
    await seed();
    const plain = await readXml('/feed.xml');
    const brotli = await load('/feed.xml', { 'accept-encoding': 'gzip, br' });
    expect(brotli.headers).toMatchObject({
      'content-encoding': 'br',
      'content-type': 'application/rss+xml; charset=utf-8',
    });
    expect(brotliDecompressSync(brotli.rawPayload).toString()).toBe(plain);
    const zipped = await load(url, { 'accept-encoding': 'gzip' });
    expect(zipped.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(zipped.rawPayload).toString()).toBe(await readXml());
    const artwork = await load('/feed/artwork.png');
    expect(artwork.rawPayload.subarray(16, 24).toString('hex')).toBe('0000057800000578');
  });
});

describe('when a subscription ends', () => {
  it('because an administrator takes the access away, the entry says when that was', async () => {
    await seed();
    test.clock.advance(10 * DAY);
    const endedAt = test.clock.now();
    await payUntil(test, sipho.user, null);
    test.clock.advance(DAY);
    const [entry] = (await readWithPartytime()).items;
    expect(entry).toMatchObject({
      title: 'Your subscription has ended',
      guid: `subscription-ended-${endedAt}`,
      pubDate: new Date(endedAt),
    });
  });

  it('the same address has previews and one entry that says so, until it is paid again', async () => {
    const track = await seed();
    await seed({ title: 'For subscribers', is_subscriber_only: 1, week: 47 });
    test.clock.advance(MONTH + GRACE_MS);
    const feed = await readWithPartytime();
    const endedGuid = `subscription-ended-${test.clock.now()}`;
    expect(feed.items.map(({ guid }) => guid)).toEqual([endedGuid, track.id]);
    expect(feed.items[0]).toMatchObject({
      title: 'Your subscription has ended',
      link: `${origin}/pricing`,
    });
    for (const item of feed.items)
      expect((await load(item.enclosure.url)).rawPayload).toEqual(fileBytes('preview'));
    const saver = await readWithPartytime(`${url}/data-saver`);
    expect(saver.items.map(({ guid }) => guid)).toEqual([endedGuid, track.id]);
    expect((await load(saver.items[1]?.enclosure.url ?? '')).rawPayload).toEqual(
      fileBytes('preview'),
    );
    test.clock.advance(DAY);
    expect((await readWithPartytime()).items[0]?.guid).toBe(endedGuid);
    expect(feed).toMatchObject({ itunesBlock: true, guid: buildPodcastGuid(`${origin}/feed`) });

    await payUntil(test, sipho.user, test.clock.now() + DAY);
    const again = await readWithPartytime();
    expect(again.items.map(({ title }) => title)).toEqual([
      'For subscribers',
      'Golden Hour Pressure',
    ]);
    expect((await load(again.items[1]?.enclosure.url ?? '')).rawPayload).toEqual(
      fileBytes('stream'),
    );
  });

  it('an app that remembers the full feed, by ETag or date, is told at once', async () => {
    await seed();
    const { headers } = await load(url);
    const remembered = [
      { 'if-none-match': String(headers.etag) },
      { 'if-modified-since': String(headers['last-modified']) },
    ];
    const ask = (sent: Record<string, string>) =>
      test.app.inject({ url: url.replace(origin, ''), headers: sent });
    for (const sent of remembered) expect((await ask(sent)).statusCode).toBe(304);
    await payUntil(test, sipho.user, test.clock.now() - GRACE_MS);
    for (const sent of remembered) expect((await ask(sent)).statusCode).toBe(200);
  });
});

describe('the id of a podcast', () => {
  it('is the one of the specification’s example', () => {
    expect(buildPodcastGuid('https://mp3s.nashownotes.com/pc20rss.xml')).toBe(
      '917393e3-1b1e-5cef-ace4-edaa54e1f810',
    );
    expect(buildPodcastGuid('http://podnews.net/rss/')).toBe(
      buildPodcastGuid('https://podnews.net/rss'),
    );
  });
});
