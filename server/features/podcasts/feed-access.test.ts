/** @module-tag both-databases */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SubscriberPage } from '#contract/admin/subscribers.ts';
import type { PodcastFeeds } from '#contract/clients/podcasts.ts';
import { EARLY_ACCESS_MS, GRACE_MS } from '#contract/rules/access.ts';
import { DAY, HOUR, WEEK } from '#contract/rules/time.ts';
import type { TracksTable } from '../../db/types/tables.ts';
import { createFeed } from '../../testing/create-feed.ts';
import { startS3Server } from '../../testing/s3-server.ts';
import { fileBytes, seedTrack } from '../../testing/seed-track.ts';
import { createAdmin } from '../../testing/test-admin.ts';
import {
  createTestApp,
  type TestApp,
  type TestAppOptions,
  type TestClient,
} from '../../testing/test-app.ts';
import {
  createSubscriber,
  createUser,
  PASSWORD,
  payUntil,
  type TestUser,
} from '../../testing/test-user.ts';
import { disableAccount, enableAccount } from '../accounts/service.ts';
import { sweepExpired } from '../system/jobs.ts';
import { MANY_NETWORKS, MAX_NETWORKS, MAX_NETWORKS_A_DAY } from '../networks/service.ts';
import { guesses } from './service.ts';
import { describeOnSqlite, itOnSqlite } from '../../testing/on-sqlite.ts';

let test: TestApp;
let sipho: TestUser;
let track: TracksTable;
/** The path of sipho's feed. */
let feed: string;

const seed = (change: Partial<TracksTable> = {}) => {
  const { database, storage, clock } = test.deps;
  return seedTrack({ db: database.db, storage, now: clock.now() }, change);
};
const readFeeds = async (client: TestClient) =>
  (await client.request({ url: '/api/me/podcast-feed' })).json<PodcastFeeds>();
const toPath = (url = '') => url.replace(test.deps.site.origin, '');

async function start(options: TestAppOptions = {}) {
  test = await createTestApp(options);
  track = await seed();
  sipho = await createSubscriber(test);
  feed = await createFeed(sipho.client);
}
beforeEach(() => start());
afterEach(() => test.close());

async function restart(options: TestAppOptions) {
  await test.close();
  await start(options);
}

type Headers = Record<string, string>;
/** Without a session, like a podcast app. */
const ask = (path: string, headers: Headers = {}, method: 'GET' | 'HEAD' | 'POST' = 'GET') =>
  test.app.inject({ method, url: path, headers });
const statusOf = async (path: string, headers: Headers = {}) =>
  (await ask(path, headers)).statusCode;

const FILES = ['full', 'saver', 'best', 'chapters'].map((file) => `${file}/any-name.mp3`);
const OLD_FILES = ['full.mp3', 'saver.ogg', 'best.mp3', 'chapters.json'];
const filesOf = (path: string, id = track.id) =>
  [...FILES, ...OLD_FILES].map((name) => `${path}/${id}/${name}`);

/** What all of these give, besides previews. */
async function statusOfAll(paths: readonly string[]): Promise<number[]> {
  const answers = await Promise.all(paths.map((path) => ask(path, { accept: 'audio/*' })));
  for (const { body, headers } of answers) {
    expect(body).not.toMatch(/STREAM:|SAVER:|MP3:|FLAC:/);
    expect(headers).not.toHaveProperty('x-accel-redirect');
    expect(headers).not.toHaveProperty('location');
  }
  return [...new Set(answers.map(({ statusCode }) => statusCode))];
}

describeOnSqlite('the address of a feed', () => {
  it('is for subscribers, shown again, and stored only as a hash and encrypted', async () => {
    expect(feed).toMatch(/^\/feed\/[\w-]{43}$/);
    const { own, publicUrl } = await readFeeds(sipho.client);
    expect(toPath(own?.url)).toBe(feed);
    expect(toPath(publicUrl)).toBe('/feed.xml');
    const token = feed.split('/').at(-1) ?? '';
    const rows = await test.deps.database.db.selectFrom('podcast_feeds').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(token);
    await ask(`${feed}/${track.id}/full.mp3`);
    await ask(`${feed}/unknown/address`);
    expect(test.logText()).toContain('/feed/');
    expect(test.logText()).not.toContain(token);

    const { client } = await createUser(test);
    const refused = await client.request({ method: 'POST', url: '/api/me/podcast-feed' });
    expect([refused.statusCode, refused.json()]).toMatchObject([403, { code: 'subscribers_only' }]);
    expect((await readFeeds(client)).own).toBeNull();
    expect((await readFeeds(sipho.client)).own).toMatchObject({ networks: 1, isShared: false });
  });

  it('stops working when it is renewed or turned off, and the feed and its files with it', async () => {
    const before = feed;
    feed = await createFeed(sipho.client);
    expect(feed).not.toBe(before);
    expect(await statusOfAll([before, ...filesOf(before)])).toEqual([410]);
    expect((await ask(before)).json()).toMatchObject({ code: 'feed_gone' });
    expect(await statusOf(feed)).toBe(200);
    expect(await statusOf(`${feed}/${track.id}/full.mp3`)).toBe(200);

    await sipho.client.request({ method: 'DELETE', url: '/api/me/podcast-feed' });
    expect(await statusOfAll([feed, ...filesOf(feed)])).toEqual([410]);
    expect((await readFeeds(sipho.client)).own).toBeNull();
  });

  it('can be renewed, but not created, after the subscription has ended', async () => {
    await payUntil(test, sipho.user, test.clock.now() - GRACE_MS);
    feed = await createFeed(sipho.client);
    expect(await statusOf(feed)).toBe(200);
    await sipho.client.request({ method: 'DELETE', url: '/api/me/podcast-feed' });
    const refused = await sipho.client.request({ method: 'POST', url: '/api/me/podcast-feed' });
    expect(refused.statusCode).toBe(403);
  });

  it.each([
    ['a new password', { method: 'POST', url: '/api/me/password' } as const],
    ['logging out everywhere else', { method: 'DELETE', url: '/api/me/sessions' } as const],
  ])('ends with %s, in case someone else has it', async (_name, request) => {
    const payload = { currentPassword: PASSWORD, newPassword: 'another horse battery' };
    const isPassword = request.method === 'POST';
    await sipho.client.request({ ...request, ...(isPassword && { payload }) });
    expect(await statusOfAll([feed, ...filesOf(feed)])).toEqual([410]);
    expect((await readFeeds(sipho.client)).own).toBeNull();
    expect(await statusOf(await createFeed(sipho.client))).toBe(200);
  });

  it('cannot be guessed for long, and guesses never keep a subscriber out', async () => {
    for (let n = 0; n < guesses.limit; n += 1) {
      const guess = n % 2 === 0 ? String(n).padStart(43, 'A') : `short-${n}`;
      expect(await statusOf(n % 3 === 0 ? `/feed/${guess}` : `/feed/${guess}/x/full.mp3`)).toBe(
        410,
      );
    }
    const refused = await ask(`/feed/${'B'.repeat(43)}`);
    expect([refused.statusCode, refused.json()]).toMatchObject([429, { code: 'rate_limited' }]);
    expect(await statusOf(feed)).toBe(200);
    expect(await statusOf(`${feed}/${track.id}/full.mp3`)).toBe(200);
  });

  it('works with a slash at its end', async () => {
    const [plain, slash] = [await ask(feed), await ask(`${feed}/`)];
    expect([slash.statusCode, slash.headers['content-type']]).toEqual([
      200,
      'application/rss+xml; charset=utf-8',
    ]);
    expect([slash.body, slash.headers.etag]).toEqual([plain.body, plain.headers.etag]);
    const page = await ask(`${feed}/`, { 'sec-fetch-dest': 'document', accept: 'text/html' });
    expect(page.body).toContain(`${feed}"`);
    expect(await statusOf(`/feed/${'A'.repeat(43)}/`)).toBe(410);
  });

  it('shows a person who opens it in a browser how to add it to an app', async () => {
    const page = await ask(feed, { 'sec-fetch-dest': 'document', accept: 'text/html' });
    expect(page.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
    });
    expect(page.body).toContain(
      `podcast://${test.deps.site.origin.replace('http://', '')}${feed}"`,
    );
    const readers = ['*/*', 'text/html', 'application/rss+xml, text/html;q=0.2', ''];
    for (const accept of readers)
      expect((await ask(feed, { accept })).headers['content-type']).toContain(
        'application/rss+xml',
      );
  });
});

describeOnSqlite('audio through a feed', () => {
  const full = () => `${feed}/${track.id}/full/2026-week-46-golden-hour-pressure.mp3`;

  it('obeys the access rules at each request', async () => {
    const early = await seed({ publish_at: test.clock.now() + HOUR, week: 47 });
    const draft = await seed({ publish_at: null });
    const far = await seed({ publish_at: test.clock.now() + EARLY_ACCESS_MS + HOUR });
    expect(await statusOf(`${feed}/${early.id}/full.mp3`)).toBe(200);
    for (const { id } of [draft, far]) expect(await statusOfAll(filesOf(feed, id))).toEqual([404]);
    expect(await statusOfAll([`/feed/public/${early.id}/preview.mp3`])).toEqual([404]);

    await payUntil(test, sipho.user, test.clock.now() - GRACE_MS);
    expect(await statusOfAll(filesOf(feed))).toEqual([403]);
    expect(await statusOf(full(), { range: 'bytes=10-19' })).toBe(403);
    expect(await statusOfAll([feed])).toEqual([200]);
    await payUntil(test, sipho.user, test.clock.now() + 1);
    expect(await statusOf(full())).toBe(200);
  });

  it('ends at once, like the feed, with a disabled or a deleted account', async () => {
    await createAdmin(test);
    const { db } = test.deps.database;
    const { id } = sipho.user;
    await db.transaction().execute((tx) => disableAccount(tx, test.deps, { id, reason: 'Spam' }));
    expect(await statusOfAll([feed, ...filesOf(feed)])).toEqual([404]);
    await db.transaction().execute((tx) => enableAccount(tx, test.deps, id));
    expect(await statusOf(full())).toBe(200);
    await db.deleteFrom('users').where('id', '=', id).execute();
    expect(await statusOfAll([feed, ...filesOf(feed)])).toEqual([410]);
    for (const table of ['podcast_feeds', 'credential_networks'] as const)
      expect(await db.selectFrom(table).selectAll().execute()).toEqual([]);
  });

  it('has no other files than those of the feed', async () => {
    const members = await seed({ is_subscriber_only: 1 });
    const paths = [
      `${feed}/${track.id}/flac.flac`,
      `${feed}/${track.id}/stream`,
      `${feed}/${track.id}/full.mp3/`,
      `${feed}/${track.id}/full.mp3/week-46.mp3`,
      `${feed}/${track.id}/stream/full.mp3`,
      `${feed}/${track.id}/flac/full.mp3`,
      `${feed}/x/full/${track.id}.mp3`,
      `/feed/public/${track.id}/full/preview.mp3`,
      `/feed/public/${track.id}/stream/preview.mp3`,
      `/feed/public/${members.id}/preview/week-46.mp3`,
      `/feed/previews/${track.id}/full/week-46.mp3`,
      `${feed}/${track.id}/full`,
      `${feed}/${track.id}%00/full.mp3`,
      `${feed}/..%2f${track.id}/full.mp3`,
      `/feed/public/${track.id}/full.mp3`,
      `/feed/public/${track.id}/stream.mp3`,
      `/feed/public/${members.id}/preview.mp3`,
      `/feed/previews/${track.id}/full.mp3`,
    ];
    for (const status of await statusOfAll(paths)) expect(status).toBeOneOf([403, 404, 410]);
  });

  it('is no play, and needs no cookie', async () => {
    const answer = await ask(full());
    expect(answer.rawPayload).toEqual(fileBytes('stream'));
    expect(answer.headers).not.toHaveProperty('set-cookie');
    const plays = await test.deps.database.db.selectFrom('plays').selectAll().execute();
    expect(plays).toEqual([]);
  });

  it('comes in ranges, as apps resume it', async () => {
    const { headers } = await ask(full(), {}, 'HEAD');
    expect(headers).toMatchObject({
      'content-length': '4096',
      'accept-ranges': 'bytes',
      'content-type': 'audio/mpeg',
      'cache-control': 'private, no-cache',
      'access-control-allow-origin': '*',
    });
    const rest = await ask(full(), { range: 'bytes=1000-', 'if-range': String(headers.etag) });
    expect([rest.statusCode, rest.headers['content-range']]).toEqual([206, 'bytes 1000-4095/4096']);
    expect(rest.rawPayload).toEqual(fileBytes('stream').subarray(1000));
    const tricks: [Headers, number, number][] = [
      [{ range: 'bytes=4096-' }, 416, 0],
      [{ range: 'bytes=0-99999' }, 206, 4096],
      [{ range: 'bytes=-10' }, 206, 10],
      [{ range: 'bytes=10-5' }, 200, 4096],
      [{ range: 'bytes=0-1,3-4' }, 200, 4096],
      [{ range: 'seconds=1-2' }, 200, 4096],
      [{ range: 'bytes=1000-', 'if-range': '"another"' }, 200, 4096],
      [{ range: 'bytes=1000-', 'if-range': String(headers['last-modified']) }, 200, 4096],
    ];
    for (const [sent, status, size] of tricks) {
      const answer = await ask(full(), sent);
      expect([sent, answer.statusCode, answer.rawPayload.length]).toEqual([sent, status, size]);
    }
  });

  it.each(['the feed', 'the public feed', 'a file', 'a preview'])(
    'is not sent again to an app that has it, like %s',
    async (what) => {
      const paths: Record<string, string> = {
        'the feed': feed,
        'the public feed': '/feed.xml',
        'a file': full(),
        'a preview': `/feed/public/${track.id}/preview.mp3`,
      };
      const path = paths[what] ?? '';
      const { headers } = await ask(path);
      const etag = String(headers.etag);
      const date = String(headers['last-modified']);
      const known: Headers[] = [
        { 'if-none-match': etag },
        { 'if-none-match': `"x", W/"y" , ${etag}` },
        { 'if-none-match': `W/${etag.replace(/^W\//, '')}` },
        { 'if-none-match': '*' },
        { 'if-modified-since': date },
        { 'if-none-match': etag, 'if-modified-since': 'Thu, 01 Jan 1970 00:00:00 GMT' },
      ];
      for (const sent of known) {
        const answer = await ask(path, sent);
        expect([sent, answer.statusCode, answer.body]).toEqual([sent, 304, '']);
      }
      const others: Headers[] = [
        { 'if-none-match': '"x"' },
        { 'if-none-match': '"x"', 'if-modified-since': date },
        { 'if-modified-since': 'Thu, 01 Jan 1970 00:00:00 GMT' },
        { 'if-modified-since': 'yesterday' },
      ];
      for (const sent of others) expect([sent, await statusOf(path, sent)]).toEqual([sent, 200]);
      const head = await ask(path, {}, 'HEAD');
      expect([head.statusCode, head.body, head.headers.etag]).toEqual([200, '', etag]);
      expect((await ask(path, {}, 'POST')).statusCode).toBe(405);
    },
  );

  it('is sent by nginx or the store where these exist', async () => {
    await restart({ env: { ACCEL_PREFIX: '/protected' } });
    expect((await ask(full())).headers['x-accel-redirect']).toBe(
      `/protected/tracks/${track.id}-stream.bin`,
    );
    const server = await startS3Server();
    try {
      await restart({ config: { s3: server.settings } });
      const head = await ask(full(), {}, 'HEAD');
      expect([head.statusCode, head.headers['content-length']]).toEqual([200, '4096']);
      const answer = await ask(full());
      expect(answer.statusCode).toBe(302);
      const stored = await fetch(String(answer.headers.location));
      expect(Buffer.from(await stored.arrayBuffer())).toEqual(fileBytes('stream'));
      await payUntil(test, sipho.user, test.clock.now() - GRACE_MS);
      expect(await statusOfAll(filesOf(feed))).toEqual([403]);
    } finally {
      await server.close();
    }
  });
});

describe('a feed that many use', () => {
  const fetchFrom = (address: string) =>
    ask(`${feed}/${track.id}/full.mp3`, { 'x-forwarded-for': address });
  const place = (n: number) => `198.51.${n}.7`;
  beforeEach(() => restart({ env: { APP_ORIGIN: 'http://localhost', TRUST_PROXY: '1' } }));

  it('is noticed, by its owner and by the operator, and starts anew with another address', async () => {
    for (let n = 0; n < MANY_NETWORKS; n += 1) await fetchFrom(place(n));
    // The same networks again, and an app's own server that asks for the feed.
    await fetchFrom('198.51.0.99');
    await ask(feed, { 'x-forwarded-for': '203.0.113.9' });
    expect((await readFeeds(sipho.client)).own).toMatchObject({
      networks: MANY_NETWORKS,
      isShared: false,
    });
    await fetchFrom('2001:db8:1:2::1');
    await fetchFrom('2001:db8:1:ffff::1');
    expect((await readFeeds(sipho.client)).own).toMatchObject({
      networks: MANY_NETWORKS + 1,
      isShared: true,
      lastUsedAt: test.clock.now(),
    });
    const admin = await createAdmin(test);
    const page = await admin.client.request({ url: `/api/admin/subscribers/${sipho.user.id}` });
    expect(page.json<SubscriberPage>().podcastFeed).toMatchObject({ isShared: true });
    expect(page.body).not.toContain(feed.split('/').at(-1));
    const rows = await test.deps.database.db
      .selectFrom('credential_networks')
      .selectAll()
      .execute();
    expect(JSON.stringify(rows)).not.toMatch(/198\.51|2001/);

    feed = await createFeed(sipho.client);
    expect((await readFeeds(sipho.client)).own).toMatchObject({ networks: 0, isShared: false });
  });

  itOnSqlite('gives no audio to further networks beyond a limit, for a week', async () => {
    for (let n = 0; n < MAX_NETWORKS; n += 1) {
      if (n % MAX_NETWORKS_A_DAY === 0) test.clock.advance(DAY);
      expect((await fetchFrom(place(n))).statusCode).toBe(200);
    }
    test.clock.advance(DAY);
    const refused = await fetchFrom(place(MAX_NETWORKS));
    expect([refused.statusCode, refused.json()]).toMatchObject([403, { code: 'forbidden' }]);
    expect(refused.json<{ message: string }>().message).toContain('too many places');
    expect((await fetchFrom(place(3))).statusCode).toBe(200);
    expect(await statusOf(feed, { 'x-forwarded-for': place(MAX_NETWORKS) })).toBe(200);
    test.clock.advance(WEEK + 1);
    expect((await fetchFrom(place(MAX_NETWORKS))).statusCode).toBe(200);
    const { db } = test.deps.database;
    await sweepExpired(db, { now: test.clock.now(), isDemo: false });
    expect(await db.selectFrom('credential_networks').selectAll().execute()).toHaveLength(1);
  });
});
