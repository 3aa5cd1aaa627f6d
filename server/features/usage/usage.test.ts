/** @module-tag both-databases */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startOfDay } from '#contract/rules/days.ts';
import { DAY, HOUR, MINUTE, SECOND } from '#contract/rules/time.ts';
import { settleBackgroundWrites } from '../../background/background-writes.ts';
import { newId } from '../../db/ids.ts';
import type { PlaysTable } from '../../db/types/listening-tables.ts';
import type { TracksTable } from '../../db/types/tables.ts';
import type { HeardDaysTable } from '../../db/types/usage-tables.ts';
import { findFullScans, recordPlan } from '../../testing/explain.ts';
import { seedTrack } from '../../testing/seed-track.ts';
import { createAdmin } from '../../testing/test-admin.ts';
import { createTestApp, type TestApp, type TestClient } from '../../testing/test-app.ts';
import { runSchedule } from '../../testing/test-payments.ts';
import { createMusicApp } from '../../testing/test-subsonic.ts';
import { createSubscriber, createUser, PASSWORD, payUntil } from '../../testing/test-user.ts';
import { sweepExpired } from '../system/jobs.ts';
import { addUpUsage } from './jobs.ts';
import { measureEntries, readHeard, type Heard } from './service.ts';

let test: TestApp;
let track: TracksTable;
beforeEach(async () => {
  test = await createTestApp({ config: { timeZone: 'Africa/Johannesburg' } });
  track = await seed();
});
afterEach(() => test.close());

const seed = (change: Partial<TracksTable> = {}) => {
  const { database, storage, clock } = test.deps;
  return seedTrack({ db: database.db, storage, now: clock.now() }, change);
};

const EVER = { fromDay: '0000', toDay: '9999' };

async function readAll(days: Parameters<typeof readHeard>[1] = EVER): Promise<Heard[]> {
  const all: Heard[] = [];
  for await (const heard of readHeard(test.deps.database.db, days)) all.push(heard);
  return all;
}

const addUp = () => runSchedule(test, 'add-up-usage');
/** Late enough for every day before. */
async function addUpLater(days = 4) {
  test.clock.advance(days * DAY);
  await addUp();
}

/** Plays for some seconds, and says then where it is. */
async function listen(client: TestClient, seconds: number, position: number, id = track.id) {
  const started = await client.request({ method: 'POST', url: `/api/tracks/${id}/play` });
  const { playId } = started.json<{ playId: string }>();
  test.clock.advance(seconds * SECOND);
  const heartbeat = async (secondsListened: number, at: number) => {
    const url = `/api/plays/${playId}/heartbeat`;
    const payload = { secondsListened, position: at };
    expect((await client.request({ method: 'POST', url, payload })).statusCode).toBe(204);
  };
  await heartbeat(seconds, position);
  return heartbeat;
}

/** A play as the table has it. */
const insertPlay = (startedAt: number, change: Partial<PlaysTable> = {}) =>
  test.deps.database.db
    .insertInto('plays')
    .values({
      id: newId(startedAt),
      track_id: track.id,
      user_id: null,
      listener_key: 'visitor:x',
      is_subscriber: 1,
      started_at: startedAt,
      listened_at: startedAt + MINUTE,
      listened_ms: MINUTE,
      position_ms: MINUTE,
      is_counted: 1,
      counted_at: startedAt,
      suspicion: null,
      source: null,
      ...change,
    })
    .execute();

const countPlays = async () => (await readAll()).map(({ day, plays }) => [day, plays] as const);

describe('what was heard on a day', () => {
  it('keeps full plays, previews, apps and podcasts apart, and staff out', async () => {
    const member = await createSubscriber(test);
    await listen(member.client, 60, 80);
    await listen(member.client, 30, 10);
    // A preview is at second 30 of the mix, and says so.
    await listen(test.createClient(), 15, 45);
    await listen((await createAdmin(test)).client, 60, 60);

    const app = await createMusicApp(test, member);
    await app.call('scrobble', { id: track.id, submission: false });
    test.clock.advance(40 * SECOND);
    await app.call('scrobble', { id: track.id });
    const free = await createMusicApp(test, await createUser(test));
    await free.call('scrobble', { id: track.id, submission: false });
    test.clock.advance(12 * SECOND);
    await free.call('scrobble', { id: track.id });

    expect(await readAll()).toEqual([]);
    await addUpLater();
    const day = '2026-11-15';
    const row = { day, trackId: track.id, until: null };
    expect(await readAll()).toEqual([
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
    const at = test.clock.now();
    // Its 20 seconds begin at second 30.
    await insertPlay(at, { ...preview, position_ms: 45_000 });
    await insertPlay(at + 1, { ...preview, position_ms: 50_000 });
    await insertPlay(at + 2, { ...preview, source: 'subsonic', position_ms: 0 });
    // Of one that has been moved since: it was as long.
    await insertPlay(at + 3, { ...preview, position_ms: 25_000 });
    await insertPlay(at + 4, { ...preview, position_ms: 10_000 });
    await insertPlay(at + 5, { ...preview, position_ms: 90_000 });
    await addUpLater();
    const spans = [
      [0, 10],
      [5, 25],
      [30, 45],
      [30, 50],
      [30, 50],
      [70, 90],
    ];
    const placed = 10 + 20 + 15 + 20 + 20 + 20;
    expect(await readAll()).toMatchObject([
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
    const member = await createSubscriber(test);
    await listen(member.client, 60, 80);
    await addUpLater();
    const before = await readAll();
    const deleted = await member.client.request({
      method: 'DELETE',
      url: '/api/me',
      payload: { password: PASSWORD, confirmation: 'delete' },
    });
    expect(deleted.statusCode).toBe(204);
    // Adds it up again.
    await test.deps.database.db
      .updateTable('plays')
      .set({ listened_at: test.clock.now() })
      .execute();
    await addUp();
    expect(await readAll()).toEqual(before);
    const { db } = test.deps.database;
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
    const member = await createSubscriber(test);
    await payUntil(test, member.user, test.clock.now() + 90 * DAY);
    const heartbeat = await listen(member.client, 20, 20);
    const dayAfter = startOfDay('2026-11-16', 'Africa/Johannesburg');
    test.clock.advance(dayAfter + 2 * DAY + 3 * HOUR - 1 - test.clock.now());
    await addUp();
    expect(await readAll()).toEqual([]);
    await heartbeat(30, 30);
    test.clock.advance(1);
    await addUp();
    expect(await readAll()).toMatchObject([{ day: '2026-11-15', plays: 1, listenedMs: 30_000 }]);

    test.clock.advance(20 * DAY);
    await heartbeat(50, 50);
    await addUp();
    expect(await readAll()).toMatchObject([{ plays: 1, listenedMs: 50_000, spans: [[0, 50]] }]);
    // A month later the figures are final.
    test.clock.advance(12 * DAY);
    await heartbeat(70, 70);
    await addUp();
    expect(await readAll()).toMatchObject([{ plays: 1, listenedMs: 50_000 }]);
  });

  it('counts a podcast once per feed, mix and day, by the files that apps load', async () => {
    const member = await createSubscriber(test);
    const other = await createSubscriber(test, 'lerato');
    const admin = await createAdmin(test);
    const feedOf = async ({ client }: { client: TestClient }) => {
      const made = await client.request({ method: 'POST', url: '/api/me/podcast-feed' });
      const { own } = made.json<{ own: { url: string } }>();
      return own.url.replace(test.deps.site.origin, '');
    };
    const feeds = [await feedOf(member), await feedOf(other), await feedOf(admin)];
    const load = async (feed = '', headers = {}, method: 'GET' | 'HEAD' = 'GET') => {
      const url = `${feed}/${track.id}/full/mix.mp3`;
      const { statusCode } = await test.app.inject({ method, url, headers });
      await settleBackgroundWrites();
      return statusCode;
    };
    const readRequests = () =>
      test.deps.database.db.selectFrom('podcast_requests').selectAll().execute();
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
    test.clock.advance(DAY);
    await load(feeds[1]);

    // Nothing but the figures stays, and the keys of the hashes go first.
    await sweepExpired(test.deps.database.db, {
      now: test.clock.now() + DAY,
      isDemo: false,
      timeZone: 'Africa/Johannesburg',
    });
    const secrets = await test.deps.database.db.selectFrom('secrets').select('name').execute();
    expect(secrets.filter(({ name }) => name.startsWith('networks '))).toEqual([]);
    await addUpLater();
    expect(await readRequests()).toEqual([]);
    const nothing = { kind: 'podcast', spans: [], listenedMs: 0, unplacedMs: 0 };
    expect(await readAll()).toMatchObject([
      { ...nothing, day: '2026-11-15', plays: 2 },
      { ...nothing, day: '2026-11-16', plays: 1 },
    ]);
  });

  it('never keeps a podcast app from its file', async () => {
    const member = await createSubscriber(test);
    const url = '/api/me/podcast-feed';
    const made = await member.client.request({ method: 'POST', url });
    const { own } = made.json<{ own: { url: string } }>();
    await test.deps.database.db.schema.alterTable('podcast_requests').renameTo('gone').execute();
    const path = `${own.url.replace(test.deps.site.origin, '')}/${track.id}/full/mix.mp3`;
    expect((await test.app.inject({ url: path })).statusCode).toBe(200);
    await settleBackgroundWrites();
    expect(test.logText()).toContain('Could not count the request of a podcast app');
  });
});

describe('adding up', () => {
  it('goes on where it stopped, and catches up in batches after weeks without running', async () => {
    const first = test.clock.now();
    for (let day = 0; day < 70; day += 1) await insertPlay(first + day * DAY);
    // A clock that was years slow.
    await insertPlay(first - 2000 * DAY);
    test.clock.advance(75 * DAY);
    const aborted = new AbortController();
    aborted.abort();
    const job = { signal: aborted.signal } as Parameters<typeof addUpUsage.execute>[2];
    await expect(addUpUsage.execute(test.deps, '{}', job)).rejects.toThrow('aborted');
    expect(await readAll()).toEqual([]);
    const added: number[] = [];
    for (let run = 0; run < 4; run += 1) {
      await addUp();
      added.push((await readAll()).length);
    }
    expect(added).toEqual([30, 61, 71, 71]);
    expect((await countPlays()).every(([, plays]) => plays === 1)).toBe(true);
  });

  it('counts every play once when clocks or the time zone change', async () => {
    const start = startOfDay('2026-11-16', 'Africa/Johannesburg');
    const hours = 10 * 24;
    for (let hour = 0; hour < hours; hour += 1) await insertPlay(start + hour * HOUR);
    const total = async () => (await countPlays()).reduce((sum, [, plays]) => sum + plays, 0);
    const runAt = async (at: number, timeZone: string) => {
      test.clock.advance(at - test.clock.now());
      Object.defineProperty(test.deps.config, 'timeZone', { value: timeZone, configurable: true });
      await addUp();
    };
    await runAt(start + 5 * DAY, 'Africa/Johannesburg');
    const before = await readAll();
    expect(await countPlays()).toEqual([
      ['2026-11-16', 24],
      ['2026-11-17', 24],
    ]);
    // Eleven hours east, thirteen to the west of it, and back.
    await runAt(start + 6 * DAY, 'Pacific/Kiritimati');
    await runAt(start + 7 * DAY, 'Pacific/Pago_Pago');
    await runAt(start + 9 * DAY, 'Africa/Johannesburg');
    expect((await readAll()).slice(0, 2)).toEqual(before);
    await runAt(start + 20 * DAY, 'Africa/Johannesburg');
    const days = await countPlays();
    expect(new Set(days.map(([day]) => day)).size).toBe(days.length);
    expect(await total()).toBe(hours);
  });

  /** More than a day without a jump, after which the time is believed. */
  async function runForADay() {
    for (let hour = 0; hour < 26; hour += 1) {
      test.clock.advance(HOUR);
      await addUp();
    }
  }

  it('takes days back that a fast clock added up too early, once it has been right for a day', async () => {
    const start = test.clock.now();
    await insertPlay(start);
    test.clock.advance(60 * DAY);
    await addUp();
    await addUp();
    expect(await countPlays()).toEqual([['2026-11-15', 1]]);
    test.clock.advance(2 * HOUR - 60 * DAY);
    await insertPlay(start + HOUR);
    await insertPlay(start + DAY);
    await addUp();
    expect(await countPlays()).toEqual([['2026-11-15', 1]]);
    await runForADay();
    // Those that are over by now aren't early any more, and what was heard in them is added up again.
    expect(await countPlays()).toEqual([['2026-11-15', 2]]);
    await addUpLater();
    expect(await countPlays()).toEqual([
      ['2026-11-15', 2],
      ['2026-11-16', 1],
    ]);
  });

  it('takes nothing back because of a clock that is slow for some hours', async () => {
    const days = 40;
    for (let day = 0; day < days; day += 1) await insertPlay(test.clock.now() + day * DAY);
    await addUpLater(days + 4);
    await runForADay();
    const before = await readAll();
    expect(before).toHaveLength(days);
    test.clock.advance(-365 * DAY);
    await addUp();
    test.clock.advance(HOUR);
    await addUp();
    expect(await readAll()).toEqual(before);
    expect(test.logText()).toContain('The clock is days behind');
    test.clock.advance(365 * DAY);
    await addUp();
    expect(await readAll()).toEqual(before);
  });

  it('reads plays by an index only', async () => {
    await insertPlay(test.clock.now());
    await addUpLater();
    await insertPlay(test.clock.now() - 4 * DAY, { listened_at: test.clock.now() });
    test.clock.advance(DAY);
    const job = { signal: new AbortController().signal };
    const steps = await recordPlan(test.deps.database, () =>
      addUpUsage.execute(test.deps, '{}', job as Parameters<typeof addUpUsage.execute>[2]),
    );
    expect(steps.filter(({ table }) => table === 'plays').length).toBeGreaterThan(2);
    expect(findFullScans(steps, 'plays', 'heard_days', 'podcast_requests')).toEqual([]);
    const read = await recordPlan(test.deps.database, () => readAll());
    expect(findFullScans(read, 'heard_days')).toEqual([]);
  });
});

it('reads what was heard day by day, with the tracklist that was heard', async () => {
  const { db } = test.deps.database;
  const row = (day: string, change: Partial<HeardDaysTable> = {}): HeardDaysTable => ({
    day,
    track_id: track.id,
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
    .values({ track_id: track.id, until_at: 3, chapters: '[]', duration_ms: 60_000 })
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
  const heard = await readAll(days);
  expect(heard.map(({ day, kind, until }) => [day, kind, until])).toEqual([
    ['2026-11-02', 'preview', 3],
    ['2026-11-03', 'full', null],
    ['2026-11-03', 'full', 3],
  ]);
  expect(heard.map(({ spans }) => measureEntries([{ at: 20 }], 60, spans))).toEqual(
    heard.map(() => [{ plays: 1, seconds: 40 }]),
  );
  expect(await readAll({ ...days, trackId: track.id })).toEqual(heard);
  expect(await readAll({ ...days, trackId: 'another' })).toEqual([]);
});

describe('what staff see of a mix', () => {
  const ask = (client: TestClient, query: string, id = track.id) =>
    client.request({ url: `/api/admin/tracks/${id}/heard?${query}` });
  const NOVEMBER = 'from=2026-11-01&to=2026-11-15';

  it('is each entry with its plays and seconds, by tracklist and kind', async () => {
    const { db } = test.deps.database;
    const chapters = (...times: (number | null)[]) =>
      JSON.stringify(
        times.map((at) => ({ at, title: `At ${at}`, artist: null, recordingId: 'secret' })),
      );
    await db
      .updateTable('tracks')
      .set({ chapters: chapters(0, 60, null) })
      .execute();
    const replacedAt = test.clock.now() + HOUR;
    await db
      .insertInto('past_tracklists')
      .values({
        track_id: track.id,
        until_at: replacedAt,
        chapters: chapters(10),
        duration_ms: 40_000,
      })
      .execute();
    await insertPlay(test.clock.now());
    await insertPlay(replacedAt, { position_ms: 62_000 });
    await insertPlay(replacedAt + 1, { is_subscriber: 0, listened_ms: 20_000 });
    await insertPlay(replacedAt + 2, { source: 'subsonic', position_ms: 0, listened_ms: 4_000 });
    await db
      .insertInto('podcast_requests')
      .values({ day: '2026-11-15', track_id: track.id, feed: 'hash' })
      .execute();
    await addUpLater(3);
    await addUpLater(1);
    const { client } = await createAdmin(test);
    const figures = (plays: number, seconds: number) => ({ plays, seconds });
    const response = await ask(client, NOVEMBER);
    expect(response.json()).toEqual({
      addedUpTo: '2026-11-16',
      tracklists: [
        {
          until: null,
          full: figures(1, 60),
          preview: figures(1, 20),
          subsonic: figures(1, 4),
          podcasts: 1,
          unplaced: 0,
          entries: [
            {
              at: 0,
              artist: null,
              title: 'At 0',
              full: figures(1, 58),
              preview: figures(1, 20),
              subsonic: figures(0, 4),
            },
            { at: 60, artist: null, title: 'At 60', full: null, preview: null, subsonic: null },
            { at: null, artist: null, title: 'At null', full: null, preview: null, subsonic: null },
          ],
        },
        {
          until: replacedAt,
          full: figures(1, 60),
          preview: figures(0, 0),
          subsonic: figures(0, 0),
          podcasts: 0,
          unplaced: 20,
          entries: [
            {
              at: 10,
              artist: null,
              title: 'At 10',
              full: figures(1, 30),
              preview: figures(0, 0),
              subsonic: figures(0, 0),
            },
          ],
        },
      ],
    });
  });

  it('needs a mix and days that can be', async () => {
    const { client } = await createAdmin(test);
    expect((await ask(client, NOVEMBER, 'nothing')).statusCode).toBe(404);
    for (const query of ['from=2026-11-18&to=2026-11-01', 'from=2026-02-30&to=2026-11-01', ''])
      expect((await ask(client, query)).statusCode).toBe(400);
    const future = await ask(client, 'from=2026-11-01&to=2027-01-01');
    expect(future.json()).toMatchObject({ message: 'The end date can’t be in the future.' });
    expect((await ask((await createUser(test)).client, NOVEMBER)).statusCode).toBe(404);
    expect((await ask(client, NOVEMBER)).json()).toMatchObject({ addedUpTo: null });
  });
});
