/** @module-tag both-databases */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startOfDay } from '#contract/rules/days.ts';
import { DAY, HOUR, SECOND } from '#contract/rules/time.ts';
import { settleBackgroundWrites } from '../../background/background-writes.ts';
import type { HeardDaysTable } from '../../db/types/usage-tables.ts';
import { createAdmin } from '../../testing/test-admin.ts';
import { type TestClient } from '../../testing/test-app.ts';
import { createMusicApp } from '../../testing/test-subsonic.ts';
import { createSubscriber, createUser, PASSWORD, payUntil } from '../../testing/test-user.ts';
import { sweepExpired } from '../system/jobs.ts';
import { measureEntries } from './service.ts';
import { startUsageSite, type UsageSite } from '../../testing/usage-site.ts';

let site: UsageSite;
beforeEach(async () => {
  site = await startUsageSite();
});
afterEach(() => site.close());

describe('what was heard on a day', () => {
  it('keeps full plays, previews, apps and podcasts apart, and staff out', async () => {
    const member = await createSubscriber(site);
    await site.listen(member.client, 60, 80);
    await site.listen(member.client, 30, 10);
    // A preview is at second 30 of the mix, and says so.
    await site.listen(site.createClient(), 15, 45);
    await site.listen((await createAdmin(site)).client, 60, 60);

    const app = await createMusicApp(site, member);
    await app.call('scrobble', { id: site.track.id, submission: false });
    site.clock.advance(40 * SECOND);
    await app.call('scrobble', { id: site.track.id });
    const free = await createMusicApp(site, await createUser(site));
    await free.call('scrobble', { id: site.track.id, submission: false });
    site.clock.advance(12 * SECOND);
    await free.call('scrobble', { id: site.track.id });

    expect(await site.readAll()).toEqual([]);
    await site.addUpLater();
    const day = '2026-11-15';
    const row = { day, trackId: site.track.id, until: null };
    expect(await site.readAll()).toEqual([
      // The second went back to the start: 20 of its seconds were heard before that.
      {
        ...row,
        kind: 'full',
        plays: 2,
        listenedMs: 90_000,
        unplacedMs: 20_000,
        spans: [
          [0, 10],
          [20, 80],
        ],
      },
      {
        ...row,
        kind: 'preview',
        plays: 2,
        listenedMs: 27_000,
        unplacedMs: 0,
        spans: [
          [30, 42],
          [30, 45],
        ],
      },
      {
        ...row,
        kind: 'subsonic',
        plays: 1,
        listenedMs: 40_000,
        unplacedMs: 0,
        spans: [[0, 40]],
      },
    ]);
  });

  it('places a preview that was played again where the preview is, and nowhere before', async () => {
    const preview = { is_subscriber: 0 as const, source: null };
    const at = site.clock.now();
    // Its 20 seconds begin at second 30.
    await site.insertPlay(at, { ...preview, position_ms: 45_000 });
    await site.insertPlay(at + 1, { ...preview, position_ms: 50_000 });
    await site.insertPlay(at + 2, { ...preview, source: 'subsonic', position_ms: 0 });
    // Of one that has been moved since: it was as long.
    await site.insertPlay(at + 3, { ...preview, position_ms: 25_000 });
    await site.insertPlay(at + 4, { ...preview, position_ms: 10_000 });
    await site.insertPlay(at + 5, { ...preview, position_ms: 90_000 });
    await site.addUpLater();
    const spans = [
      [0, 10],
      [5, 25],
      [30, 45],
      [30, 50],
      [30, 50],
      [70, 90],
    ];
    const placed = 10 + 20 + 15 + 20 + 20 + 20;
    expect(await site.readAll()).toMatchObject([
      {
        kind: 'preview',
        plays: 6,
        spans,
        listenedMs: 360_000,
        unplacedMs: 360_000 - placed * 1000,
      },
    ]);
  });

  it('names nobody, and is the same after an account was deleted', async () => {
    const member = await createSubscriber(site);
    await site.listen(member.client, 60, 80);
    await site.addUpLater();
    const before = await site.readAll();
    const deleted = await member.client.request({
      method: 'DELETE',
      url: '/api/me',
      payload: { password: PASSWORD, confirmation: 'delete' },
    });
    expect(deleted.statusCode).toBe(204);
    // Adds it up again.
    await site.deps.database.db
      .updateTable('plays')
      .set({ listened_at: site.clock.now() })
      .execute();
    await site.addUp();
    expect(await site.readAll()).toEqual(before);
    const { db } = site.deps.database;
    const rows = await db.selectFrom('heard_days').selectAll().execute();
    expect(rows).toHaveLength(1);
    expect(Object.keys(rows[0] ?? {}).toSorted()).toEqual([
      'day',
      'kind',
      'listened_ms',
      'plays',
      'spans',
      'track_id',
      'unplaced_ms',
      'until_at',
    ]);
    expect(JSON.stringify(rows)).not.toContain(member.user.id);
  });

  it('is complete two nights later, and again after a page that stayed open reports more', async () => {
    const member = await createSubscriber(site);
    await payUntil(site, member.user, site.clock.now() + 90 * DAY);
    const heartbeat = await site.listen(member.client, 20, 20);
    const dayAfter = startOfDay('2026-11-16', 'Africa/Johannesburg');
    site.clock.advance(dayAfter + 2 * DAY + 3 * HOUR - 1 - site.clock.now());
    await site.addUp();
    expect(await site.readAll()).toEqual([]);
    await heartbeat(30, 30);
    site.clock.advance(1);
    await site.addUp();
    expect(await site.readAll()).toMatchObject([
      { day: '2026-11-15', plays: 1, listenedMs: 30_000 },
    ]);

    site.clock.advance(20 * DAY);
    await heartbeat(50, 50);
    await site.addUp();
    expect(await site.readAll()).toMatchObject([
      { plays: 1, listenedMs: 50_000, spans: [[0, 50]] },
    ]);
    // A month later the figures are final.
    site.clock.advance(12 * DAY);
    await heartbeat(70, 70);
    await site.addUp();
    expect(await site.readAll()).toMatchObject([{ plays: 1, listenedMs: 50_000 }]);
  });

  it('counts a podcast once per feed, mix and day, by the files that apps load', async () => {
    const member = await createSubscriber(site);
    const other = await createSubscriber(site, 'lerato');
    const admin = await createAdmin(site);
    const feedOf = async ({ client }: { client: TestClient }) => {
      const made = await client.request({ method: 'POST', url: '/api/me/podcast-feed' });
      const { own } = made.json<{ own: { url: string } }>();
      return own.url.replace(site.deps.site.origin, '');
    };
    const feeds = [await feedOf(member), await feedOf(other), await feedOf(admin)];
    const load = async (feed = '', headers = {}, method: 'GET' | 'HEAD' = 'GET') => {
      const url = `${feed}/${site.track.id}/full/mix.mp3`;
      const { statusCode } = await site.app.inject({ method, url, headers });
      await settleBackgroundWrites();
      return statusCode;
    };
    const readRequests = () =>
      site.deps.database.db.selectFrom('podcast_requests').selectAll().execute();
    expect(await load(feeds[0], {}, 'HEAD')).toBe(200);
    expect(await load(feeds[0], { range: 'bytes=100-200' })).toBe(206);
    expect(await load(feeds[2])).toBe(200);
    expect(await readRequests()).toEqual([]);

    expect(await load(feeds[0], { range: 'bytes=0-1' })).toBe(206);
    expect(await load(feeds[0])).toBe(200);
    expect(await load(feeds[1])).toBe(200);
    const requests = await readRequests();
    expect(requests).toHaveLength(2);
    expect(JSON.stringify(requests)).not.toMatch(
      new RegExp(`${member.user.id}|${feeds[0]?.split('/').at(-1)}`),
    );
    site.clock.advance(DAY);
    await load(feeds[1]);

    // Nothing but the figures stays, and the keys of the hashes go first.
    await sweepExpired(site.deps.database.db, {
      now: site.clock.now() + DAY,
      isDemo: false,
      timeZone: 'Africa/Johannesburg',
    });
    const secrets = await site.deps.database.db.selectFrom('secrets').select('name').execute();
    expect(secrets.filter(({ name }) => name.startsWith('networks '))).toEqual([]);
    await site.addUpLater();
    expect(await readRequests()).toEqual([]);
    const nothing = { kind: 'podcast', spans: [], listenedMs: 0, unplacedMs: 0 };
    expect(await site.readAll()).toMatchObject([
      { ...nothing, day: '2026-11-15', plays: 2 },
      { ...nothing, day: '2026-11-16', plays: 1 },
    ]);
  });

  it('never keeps a podcast app from its file', async () => {
    const member = await createSubscriber(site);
    const url = '/api/me/podcast-feed';
    const made = await member.client.request({ method: 'POST', url });
    const { own } = made.json<{ own: { url: string } }>();
    await site.deps.database.db.schema.alterTable('podcast_requests').renameTo('gone').execute();
    const path = `${own.url.replace(site.deps.site.origin, '')}/${site.track.id}/full/mix.mp3`;
    expect((await site.app.inject({ url: path })).statusCode).toBe(200);
    await settleBackgroundWrites();
    expect(site.logText()).toContain('Could not count the request of a podcast app');
  });
});

it('reads what was heard day by day, with the tracklist that was heard', async () => {
  const { db } = site.deps.database;
  const row = (day: string, change: Partial<HeardDaysTable> = {}): HeardDaysTable => ({
    day,
    track_id: site.track.id,
    kind: 'full',
    until_at: 0,
    spans: '[[0,60]]',
    plays: 1,
    listened_ms: 60_000,
    unplaced_ms: 0,
    ...change,
  });
  await db
    .insertInto('usage_days')
    .values(
      [1, 2, 3, 4].map((n) => ({ day: `2026-11-0${n}`, from_at: n, to_at: n + 1, checked_at: 9 })),
    )
    .execute();
  await db
    .insertInto('past_tracklists')
    .values({ track_id: site.track.id, until_at: 3, chapters: '[]', duration_ms: 60_000 })
    .execute();
  await db
    .insertInto('heard_days')
    .values([
      row('2026-11-04'),
      row('2026-11-03'),
      row('2026-11-03', { until_at: 3 }),
      row('2026-11-02', { kind: 'preview' }),
      row('2026-11-01'),
    ])
    .execute();
  const days = { fromDay: '2026-11-02', toDay: '2026-11-03' };
  const heard = await site.readAll(days);
  expect(heard.map(({ day, kind, until }) => [day, kind, until])).toEqual([
    ['2026-11-02', 'preview', 3],
    ['2026-11-03', 'full', null],
    ['2026-11-03', 'full', 3],
  ]);
  expect(heard.map(({ spans }) => measureEntries([{ at: 20 }], 60, spans))).toEqual(
    heard.map(() => [{ plays: 1, seconds: 40 }]),
  );
  expect(await site.readAll({ ...days, trackId: site.track.id })).toEqual(heard);
  expect(await site.readAll({ ...days, trackId: 'another' })).toEqual([]);
});
