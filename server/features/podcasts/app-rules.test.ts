import { parseRssFeed } from 'feedsmith';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HOUR } from '#contract/rules/time.ts';
import { loadSharp } from '../../ports/media/load-sharp.ts';
import { createFeed } from '../../testing/create-feed.ts';
import { seedTrack } from '../../testing/seed-track.ts';
import { createTestApp, type TestApp } from '../../testing/test-app.ts';
import { createSubscriber } from '../../testing/test-user.ts';

/** What apps refuse, ignore or misread otherwise, each rule with the page or the code that says so. */

let test: TestApp;
let feeds: string[];

beforeAll(async () => {
  test = await createTestApp();
  const { database, storage, clock } = test.deps;
  const seed = { db: database.db, storage, now: clock.now() };
  const chapters = JSON.stringify([
    { at: 0, title: 'Substation Intro', artist: 'Relay Room' },
    { at: 40.5, title: 'Signal & Noise', artist: null },
  ]);
  await seedTrack(seed, { title: 'Soirée — “Don’t Stop” & <b>', chapters });
  await seedTrack(seed, { title: 'Soirée — “Don’t Stop” & <b>', chapters });
  await seedTrack(seed, { title: '夜のバス', week: 45 });
  await seedTrack(seed, { title: 'Early', week: 47, publish_at: clock.now() + HOUR });
  const own = await createFeed((await createSubscriber(test)).client);
  feeds = [own, `${own}/data-saver`, '/feed.xml'];
});
afterAll(() => test.close());

const toPath = (url = '') => url.replace(test.deps.site.origin, '');
const load = (path: string) => test.app.inject({ url: path });

async function readFeeds() {
  const bodies = await Promise.all(feeds.map(async (path) => (await load(path)).body));
  return bodies.map((xml) => ({ xml, feed: parseRssFeed(xml) }));
}
const readItems = async () => (await readFeeds()).flatMap(({ feed }) => feed.items ?? []);

/** The texts of an element, as they stand. */
const textsOf = (xml: string, name: string): string[] =>
  [...xml.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, 'g'))].map(([, text]) => text ?? '');

// https://podcasters.apple.com/support/823-podcast-requirements
describe('Apple’s requirements for a feed', () => {
  it('want RSS 2.0 with an XML declaration and the namespace as Apple writes it', async () => {
    for (const { xml } of await readFeeds()) {
      expect(xml).toMatch(/^<\?xml version="1\.0" encoding="utf-8"\?>\s*<rss version="2\.0"/i);
      expect(xml).toContain('xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"');
    }
  });

  it('want a title, description, picture, language, category and whether it is explicit', async () => {
    for (const { feed } of await readFeeds())
      expect(feed).toMatchObject({
        title: expect.stringMatching(/./),
        description: expect.stringMatching(/./),
        language: 'en',
        itunes: {
          image: expect.stringMatching(/^http/),
          categories: [{ text: 'Music' }],
          explicit: false,
        },
      });
  });

  it('want an enclosure with URL, length and type, and each URL only once', async () => {
    for (const { feed } of await readFeeds()) {
      const enclosures = (feed.items ?? []).map(({ enclosures: [file] = [] }) => file);
      for (const file of enclosures)
        expect(file).toMatchObject({
          url: expect.stringMatching(/^http/),
          length: expect.any(Number),
          type: expect.stringMatching(/^audio\//),
        });
      expect(enclosures.length).toBeGreaterThan(2);
      expect(new Set(enclosures.map((file) => file?.url)).size).toBe(enclosures.length);
    }
  });

  it('want a GUID for each episode, which stays when the title and the file change', async () => {
    const guidsOf = async () => (await readItems()).map(({ guid }) => guid?.value);
    const before = await guidsOf();
    expect(before.every(Boolean)).toBe(true);
    await test.deps.database.db.updateTable('tracks').set({ bpm: 99 }).execute();
    const resize = (size: number) =>
      test.deps.database.db.updateTable('renditions').set({ size }).execute();
    await resize(20_000);
    expect(await guidsOf()).toEqual(before);
    await resize(4096);
  });

  it('want names of files and addresses in letters and digits of ASCII', async () => {
    for (const { enclosures } of await readItems())
      expect(new URL(enclosures?.[0]?.url ?? '').pathname).toMatch(/^[\w/.-]+$/);
  });

  it('want dates as RFC 2822 has them', async () => {
    const date =
      /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d{2}:\d{2}:\d{2} (GMT|[+-]\d{4})$/;
    for (const { xml } of await readFeeds())
      for (const text of textsOf(xml, 'pubDate')) expect(text).toMatch(date);
  });

  it('want a picture of 1400 to 3000 pixels, square, as JPEG or PNG', async () => {
    const sharp = await loadSharp();
    for (const { feed } of await readFeeds()) {
      const { rawPayload } = await load(toPath(feed.itunes?.image));
      const { width, height, format } = await sharp(rawPayload).metadata();
      expect([width, format]).toEqual([height, expect.stringMatching(/^(png|jpeg)$/)]);
      expect(width).toBeGreaterThanOrEqual(1400);
      expect(width).toBeLessThanOrEqual(3000);
    }
  });

  it('want a server that knows HEAD and ranges', async () => {
    for (const { enclosures } of await readItems()) {
      const url = toPath(enclosures?.[0]?.url);
      const head = await test.app.inject({ method: 'HEAD', url });
      expect([head.statusCode, head.headers['accept-ranges'], head.body]).toEqual([
        200,
        'bytes',
        '',
      ]);
      const part = await test.app.inject({ url, headers: { range: 'bytes=0-1' } });
      expect([part.statusCode, part.rawPayload.length]).toEqual([206, 2]);
    }
  });
});

// Of the repository AntennaPod/AntennaPod, below parser/feed/src/main/java/de/danoeh/antennapod/parser/feed
describe('AntennaPod', () => {
  // util/TypeGetter.java
  it('takes only <rss version="2.0"> or an older one it names', async () => {
    for (const { xml } of await readFeeds()) expect(xml).toMatch(/<rss version="2\.0"/);
  });

  // namespace/Rss20.java, util/DateUtils.java: a date that is still to come is none
  it('needs a date that is not in the future, also for a mix that members have early', async () => {
    const items = await readItems();
    expect(items.map(({ title }) => title)).toContain('Early');
    for (const { pubDate } of items)
      expect(Date.parse(pubDate ?? '')).toBeLessThanOrEqual(test.clock.now());
  });

  // namespace/Rss20.java: the text of the element is the id, with whatever is around it
  it('takes a guid as it stands, so there is nothing around it', async () => {
    for (const { xml } of await readFeeds()) {
      const guids = [...xml.matchAll(/<guid[^>]*>([^<]*)<\/guid>/g)].map(([, guid]) => guid);
      expect(guids.length).toBeGreaterThan(2);
      for (const guid of guids) expect(guid).toMatch(/^\S+$/);
      expect(new Set(guids).size).toBe(guids.length);
    }
  });

  // util/DurationParser.java: whole seconds, mm:ss or hh:mm:ss
  it('reads a duration in whole seconds', async () => {
    for (const { xml } of await readFeeds())
      for (const text of textsOf(xml, 'itunes:duration')) expect(text).toMatch(/^\d+$/);
  });

  // namespace/PodcastIndex.java: chapters only from one of two names of the namespace
  it('knows the podcast namespace by its address', async () => {
    const known = [
      'https://podcastindex.org/namespace/1.0',
      'https://github.com/Podcastindex-org/podcast-namespace/blob/main/docs/1.0.md',
    ];
    for (const { xml } of await readFeeds())
      expect(known).toContain(/xmlns:podcast="([^"]*)"/.exec(xml)?.[1]);
  });

  // PodcastIndexChapterParser.java: a list "chapters" of "startTime" and "title"
  it('reads chapters with a number of seconds and a title', async () => {
    const files = (await readItems()).flatMap(({ podcast }) => podcast?.chapters?.url ?? []);
    expect(files.length).toBeGreaterThan(2);
    for (const url of files) {
      const { chapters } = (await load(toPath(url))).json<{ chapters: object[] }>();
      for (const chapter of chapters)
        expect(chapter).toEqual({ startTime: expect.any(Number), title: expect.any(String) });
    }
  });
});

// Of the repositories Automattic/pocket-casts-android and pocket-casts-ios. Its servers read the feed, and
// nothing public says how; the apps load files and chapters themselves.
describe('Pocket Casts', () => {
  // …/repositories/download/EpisodeDownloader.kt and UpdateEpisodeDetailsTask.kt
  it('wants audio by its type from GET and HEAD, with the length of the file', async () => {
    for (const { enclosures } of await readItems()) {
      const [file] = enclosures ?? [];
      for (const method of ['GET', 'HEAD'] as const) {
        const { statusCode, headers } = await test.app.inject({ method, url: toPath(file?.url) });
        expect([statusCode, headers['content-type']]).toEqual([200, file?.type]);
        expect(headers['content-type']).toMatch(/^audio\//);
        expect(Number(headers['content-length'])).toBe(file?.length);
      }
    }
  });

  // EpisodeDownloader.kt, DownloadManager+URLSessionDelegate.swift: only the status says that there is no file
  it('knows a file that is gone by its status', async () => {
    const [item] = await readItems();
    const { pathname } = new URL(item?.enclosures?.[0]?.url ?? '');
    const { db } = test.deps.database;
    await db.updateTable('tracks').set({ status: 'failed' }).where('title', '=', 'Early').execute();
    expect((await load(pathname)).statusCode).toBe(404);
    await db.updateTable('tracks').set({ status: 'ready' }).where('title', '=', 'Early').execute();
  });

  // ShowNotesResponse.kt, PodcastIndexChapterDataRetriever.swift: one chapter without a number loses them all
  it('wants a number of seconds in each chapter, and shows those that have no “toc”', async () => {
    const urls = (await readItems()).flatMap(({ podcast }) => podcast?.chapters?.url ?? []);
    expect(urls.length).toBeGreaterThan(2);
    for (const url of urls) {
      const { chapters } = (await load(toPath(url))).json<{ chapters: object[] }>();
      expect(chapters.length).toBeGreaterThan(0);
      for (const chapter of chapters) {
        expect(chapter).toHaveProperty('startTime', expect.any(Number));
        expect(chapter).not.toHaveProperty('toc');
      }
    }
  });
});
