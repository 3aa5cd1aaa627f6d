/** @module-tag both-databases */
import { parseRssFeed } from 'feedsmith';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { GRACE_MS } from '#contract/rules/access.ts';
import { buildTrack } from '../../db/build-rows.ts';
import { createFeed } from '../../testing/create-feed.ts';
import { createTestApp, type TestApp } from '../../testing/test-app.ts';
import { createSubscriber, payUntil, type TestUser } from '../../testing/test-user.ts';
import { IN_FULL } from './build-feed.ts';
import { MAX_EPISODES } from './feed-template.ts';

const MEGABYTE = 1_000_000;

let test: TestApp;
let sipho: TestUser;
/** The paths of every kind of feed. */
let feeds: { own: string; dataSaver: string; previews: string };

beforeEach(async () => {
  test = await createTestApp();
  sipho = await createSubscriber(test);
  const own = await createFeed(sipho.client);
  feeds = { own, dataSaver: `${own}/data-saver`, previews: '/feed.xml' };
});
afterEach(() => test.close());

const CHAPTERS = Array.from({ length: 20 }, (_, index) => ({
  at: index * 180,
  artist: `Relay Room & Thula ${index}`,
  title: `The Longest Night Bus ${index} (Extended Mix)`,
}));
const DESCRIPTION = 'An hour of warm log drums, recorded on a roof in Woodstock. ';

/** So many weeks, each with a tracklist of 20 tracks, the newest last. */
async function seedWeeks(count: number, description = DESCRIPTION.repeat(6)) {
  const { db } = test.deps.database;
  const rows = Array.from({ length: count }, (_, index) =>
    buildTrack({
      id: `track-${index}`,
      title: `Golden Hour Pressure ${index}`,
      year: 2010 + Math.floor(index / 50),
      week: 1 + (index % 50),
      genre: 'Amapiano',
      bpm: 113,
      duration_ms: 3_600_000,
      description,
      chapters: JSON.stringify(CHAPTERS),
      status: 'ready',
      publish_at: 1000 + index,
      created_at: 1000,
    }),
  );
  for (let from = 0; from < rows.length; from += 50) {
    const part = rows.slice(from, from + 50);
    await db.insertInto('tracks').values(part).execute();
    const files = part.flatMap(({ id: track_id }) =>
      (['stream', 'dataSaver', 'mp3', 'preview'] as const).map((name) => ({
        track_id,
        name,
        key: `tracks/${track_id}-${name}.bin`,
        size: 86_400_000,
        media_type: 'audio/mpeg',
      })),
    );
    await db.insertInto('renditions').values(files).execute();
  }
}

const ask = (path: string, headers: Record<string, string> = {}) =>
  test.app.inject({ url: path, headers });

async function readPage(path: string) {
  const { statusCode, rawPayload, body, headers } = await ask(path);
  expect(statusCode).toBe(200);
  const feed = parseRssFeed(body);
  const links = new Map(
    (feed.atom?.links ?? []).map(({ rel, href }) => [
      rel,
      (href ?? '').replace(test.deps.site.origin, ''),
    ]),
  );
  return { feed, links, headers, bytes: rawPayload.length, items: feed.items ?? [] };
}

/** As an app does that follows RFC 5005. */
async function readPages(path: string) {
  const pages = [await readPage(path)];
  for (;;) {
    const next = pages.at(-1)?.links.get('next');
    if (next === undefined) return pages;
    pages.push(await readPage(next));
  }
}

describe('a feed of 500 mixes with tracklists', () => {
  it('is below a megabyte in every kind, and an app that knows no pages misses none', async () => {
    await seedWeeks(MAX_EPISODES);
    for (const path of Object.values(feeds)) {
      const { bytes, items, links } = await readPage(path);
      expect(bytes).toBeLessThan(MEGABYTE);
      expect(items).toHaveLength(MAX_EPISODES);
      expect([...links.keys()]).toEqual(['self']);
    }
    const { items } = await readPage(feeds.own);
    const [newest, oldest] = [items.at(0), items.at(-1)];
    expect(newest?.description).toContain('57:00 Relay Room');
    expect(newest?.podcast?.alternateEnclosures).toHaveLength(3);
    expect(items[IN_FULL - 1]?.description).toContain('57:00 Relay Room');
    // What older ones have: everything to play, and the tracklist as chapters and behind a link.
    expect(items[IN_FULL]?.description).not.toContain('Relay Room');
    expect(oldest?.description).toContain(`/track/track-0">Tracklist</a>`);
    expect(oldest).toMatchObject({
      guid: { value: 'track-0' },
      enclosures: [{ length: 86_400_000, type: 'audio/mpeg' }],
      itunes: { duration: 3600, season: 2010, episode: 1 },
      podcast: { chapters: { type: 'application/json+chapters' } },
    });
  });

  it('has the newest episodes only, however many there are', async () => {
    await seedWeeks(MAX_EPISODES + 1, '');
    const { items } = await readPage(feeds.own);
    expect(items).toHaveLength(MAX_EPISODES);
    expect(items[0]?.guid?.value).toBe(`track-${MAX_EPISODES}`);
    expect(items.at(-1)?.guid?.value).toBe('track-1');
  });
});

describe('a feed too large for one page', () => {
  beforeEach(() => seedWeeks(120, DESCRIPTION.repeat(400)));

  it('is in pages below a megabyte that link each other, and no mix is missing or there twice', async () => {
    for (const path of Object.values(feeds)) {
      const pages = await readPages(path);
      const count = pages.length;
      expect(count).toBeGreaterThan(2);
      for (const [index, { bytes, links, feed }] of pages.entries()) {
        const address = (page: number) => (page === 1 ? path : `${path}?page=${page}`);
        const number = index + 1;
        expect(bytes).toBeLessThan(MEGABYTE);
        expect(Object.fromEntries(links)).toEqual({
          self: address(number),
          first: path,
          last: address(count),
          ...(number > 1 && { previous: address(number - 1) }),
          ...(number < count && { next: address(number + 1) }),
        });
        expect(feed.podcast?.guid).toBe(pages[0]?.feed.podcast?.guid);
        expect(feed.title).toBe(pages[0]?.feed.title);
      }
      const guids = pages.flatMap(({ items }) => items.map(({ guid }) => guid?.value));
      expect(guids).toEqual(Array.from({ length: 120 }, (_, index) => `track-${119 - index}`));
    }
  });

  it('sends no page again to an app that has it, until a mix changes', async () => {
    const first = await readPage(feeds.own);
    const second = await readPage(`${feeds.own}?page=2`);
    expect(second.headers.etag).not.toBe(first.headers.etag);
    for (const { headers, links } of [first, second]) {
      const known = [
        { 'if-none-match': String(headers.etag) },
        { 'if-modified-since': String(headers['last-modified']) },
      ];
      for (const sent of known)
        expect((await ask(links.get('self') ?? '', sent)).statusCode).toBe(304);
    }
    const { db } = test.deps.database;
    test.clock.advance(1000);
    await db
      .updateTable('tracks')
      .set({ title: 'Renamed', updated_at: test.clock.now() })
      .where('id', '=', 'track-0')
      .execute();
    // Every page says when the feed last changed, so all of them are another one.
    for (const { headers, links } of [first, second]) {
      const known = [
        { 'if-none-match': String(headers.etag) },
        { 'if-modified-since': String(headers['last-modified']) },
      ];
      for (const sent of known)
        expect((await ask(links.get('self') ?? '', sent)).statusCode).toBe(200);
    }
    expect((await readPages(feeds.own)).at(-1)?.items.at(-1)?.title).toBe('Renamed');
  });

  it('has no page 0, and none behind the last', async () => {
    for (const path of Object.values(feeds)) {
      expect((await ask(`${path}?page=1`)).statusCode).toBe(200);
      for (const page of ['0', '-1', '01', 'two', '', '1.5', '99', '100000', '1&page=2'])
        expect([page, (await ask(`${path}?page=${page}`)).statusCode]).toEqual([page, 404]);
    }
  });

  it('is closed on every page without the right address, and has previews after the subscription', async () => {
    expect((await ask(`/feed/${'A'.repeat(43)}?page=2`)).statusCode).toBe(410);
    await payUntil(test, sipho.user, test.clock.now() - GRACE_MS);
    const pages = await readPages(feeds.own);
    const items = pages.flatMap((page) => page.items);
    expect(items.filter(({ title }) => title === 'Your subscription has ended')).toEqual([
      items[0],
    ]);
    expect(items).toHaveLength(121);
    for (const { enclosures } of items) expect(enclosures?.[0]?.url).toContain('/feed/public/');
  });
});
