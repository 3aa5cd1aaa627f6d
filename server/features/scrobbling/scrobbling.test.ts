/** @module-tag both-databases */
import { strFromU8, unzipSync } from 'fflate';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Scrobbling } from '#contract/clients/scrobbling.ts';
import { DAY, HOUR, MINUTE } from '#contract/rules/time.ts';
import type { TracksTable } from '../../db/types/tables.ts';
import {
  startListenBrainz,
  UNWANTED_ARTIST,
  type FakeScrobbler,
} from '../../testing/fake-scrobblers.ts';
import { recordPlan } from '../../testing/explain.ts';
import { findTraces } from '../../testing/read-all-tables.ts';
import { seedTrack } from '../../testing/seed-track.ts';
import { createTestApp, type TestApp } from '../../testing/test-app.ts';
import { createSubscriber, createUser, PASSWORD, type TestUser } from '../../testing/test-user.ts';
import { tendScrobbles } from './jobs.ts';
import { itOnSqlite } from '../../testing/on-sqlite.ts';

const TOKEN = '8a0f2f0e-6f3a-4c35-9d1c-2f4a5b6c7d8e';
const CHAPTERS = [
  { at: 0, artist: 'Relay Room', title: 'Substation Intro' },
  { at: 180, artist: 'Moyo', title: 'Tidal Wires' },
  { at: null, artist: 'Someone', title: 'Unknown' },
  { at: 780, artist: null, title: 'Outro' },
];

let test: TestApp;
let fake: FakeScrobbler;
let sipho: TestUser;
let track: TracksTable;

const seed = (change: Partial<TracksTable> = {}) => {
  const { database, storage, clock } = test.deps;
  const chapters = JSON.stringify(CHAPTERS);
  const seeded = { duration_ms: 20 * MINUTE, chapters, ...change };
  return seedTrack({ db: database.db, storage, now: clock.now() }, seeded);
};

beforeEach(async () => {
  fake = await startListenBrainz();
  fake.tokens.add(TOKEN);
  test = await createTestApp({ config: { allowsPrivateServers: true } });
  track = await seed();
  sipho = await createSubscriber(test);
});
afterEach(async () => {
  await test.close();
  await fake.close();
});

const connect = (payload: object = { token: TOKEN, server: fake.origin }, member = sipho) =>
  member.client.request({ method: 'PUT', url: '/api/me/scrobbling/listenbrainz', payload });

const read = async ({ client } = sipho): Promise<Scrobbling> =>
  (await client.request({ url: '/api/me/scrobbling' })).json<Scrobbling>();

/** Plays a track from one second to another, as a player reports it. */
async function hear(from: number, to: number, { client } = sipho, { id } = track) {
  const started = await client.request({ method: 'POST', url: `/api/tracks/${id}/play` });
  const { playId } = started.json<{ playId: string }>();
  for (let position = from + 10; position <= to; position += 10) {
    test.clock.advance(10_000);
    const payload = { secondsListened: position - from, position };
    const url = `/api/plays/${playId}/heartbeat`;
    const response = await client.request({ method: 'POST', url, payload });
    expect(response.statusCode).toBe(204);
  }
}

const listens = () => [...fake.listens.values()].map(({ artist, title }) => `${artist}: ${title}`);
const listJobs = () => test.deps.database.db.selectFrom('jobs').selectAll().execute();
const listQueued = () => test.deps.database.db.selectFrom('scrobbles').selectAll().execute();

describe('connecting ListenBrainz', () => {
  itOnSqlite('asks the server whose token it is, and stores the token encrypted', async () => {
    const response = await connect();
    expect(response.json()).toMatchObject({
      isPaused: false,
      listenbrainz: { username: 'sipho_brainz', server: fake.origin, state: 'connected' },
      lastfm: null,
      lastfmName: null,
    });
    expect(await findTraces(test.deps.database, [TOKEN])).toEqual([]);
    expect(test.logText()).not.toContain(TOKEN);
  });

  itOnSqlite.each(['/1', '/1/', '/'])(
    'accepts the address as servers show it, with %s',
    async (end) => {
      const response = await connect({ token: TOKEN, server: fake.origin + end });
      expect(response.json<Scrobbling>().listenbrainz?.server).toBe(fake.origin);
    },
  );

  itOnSqlite('goes to the site’s own choice if the listener names no server', async () => {
    await test.close();
    const config = { allowsPrivateServers: true, listenbrainzUrl: fake.origin };
    test = await createTestApp({ config });
    track = await seed();
    sipho = await createSubscriber(test);
    const response = await connect({ token: TOKEN });
    expect(response.json()).toMatchObject({ listenbrainz: { server: null } });
    await hear(0, 100);
    await test.worker.runDue();
    expect(listens()).toEqual(['Relay Room: Substation Intro']);
  });

  itOnSqlite('tells a wrong token from a server that doesn’t answer', async () => {
    const wrong = await connect({ token: 'wrong', server: fake.origin });
    expect([wrong.statusCode, wrong.json()]).toMatchObject([
      422,
      { code: 'service_refused', fields: { token: expect.stringContaining('token') } },
    ]);
    fake.setMood('broken');
    const broken = await connect();
    expect([broken.statusCode, broken.json()]).toMatchObject([
      502,
      { code: 'service_unreachable', fields: { server: expect.any(String) } },
    ]);
    expect((await read()).listenbrainz).toBeNull();
  });

  itOnSqlite.each([
    'http://music.example',
    'https://127.0.0.1',
    'https://192.168.1.5/apis/listenbrainz',
    'https://localhost:5432',
    'https://[::1]',
    'https://metadata.internal@10.0.0.1',
    'file:///etc/passwd',
    'music.example',
  ])('never sends anything to %s on a public site', async (server) => {
    await test.close();
    test = await createTestApp();
    sipho = await createSubscriber(test);
    const response = await connect({ token: TOKEN, server });
    expect([400, 422]).toContain(response.statusCode);
    expect(response.json<{ fields: object }>().fields).toHaveProperty('server');
    expect(fake.requests).toEqual([]);
  });

  it('is undone with everything that was stored', async () => {
    await connect();
    fake.setMood('broken');
    await hear(0, 120);
    expect(await listQueued()).toHaveLength(1);
    const url = '/api/me/scrobbling/listenbrainz';
    const response = await sipho.client.request({ method: 'DELETE', url });
    expect(response.json()).toMatchObject({ listenbrainz: null });
    expect(await listQueued()).toEqual([]);
    await hear(0, 300);
    fake.setMood('well');
    await test.worker.runDue();
    expect(listens()).toEqual([]);
  });
});

describe('listening', () => {
  itOnSqlite(
    'scrobbles each chapter that was heard, when it began, with what is playing now',
    async () => {
      await connect();
      const began = test.clock.now();
      await hear(0, 1200);
      await test.worker.runDue();
      expect([...fake.listens.values()]).toEqual([
        {
          artist: 'Relay Room',
          title: 'Substation Intro',
          release: track.title,
          at: Math.floor(began / 1000),
        },
        { artist: 'Moyo', title: 'Tidal Wires', release: track.title, at: expect.any(Number) },
        { artist: 'Weekender', title: 'Outro', release: track.title, at: expect.any(Number) },
      ]);
      expect([...fake.listens.values()].map(({ at }) => at - began / 1000)).toEqual([0, 180, 780]);
      expect(await listQueued()).toEqual([]);
      expect((await read()).listenbrainz).toMatchObject({ state: 'connected', queued: 0 });
    },
  );

  itOnSqlite('says what is playing when a chapter begins', async () => {
    await connect();
    await hear(0, 10);
    await test.worker.runDue();
    expect(fake.playing).toMatchObject([{ artist: 'Relay Room', title: 'Substation Intro' }]);
    expect(listens()).toEqual([]);
  });

  itOnSqlite('doesn’t say that something is playing when it is over', async () => {
    await connect();
    await hear(0, 10);
    test.clock.advance(HOUR);
    await test.worker.runDue();
    expect(fake.playing).toEqual([]);
  });

  itOnSqlite('leaves out chapters that were skipped', async () => {
    await connect();
    await hear(0, 60);
    await hear(180, 430);
    await test.worker.runDue();
    expect(listens()).toEqual(['Moyo: Tidal Wires']);
  });

  itOnSqlite('scrobbles a mix without a tracklist, or without times, as the mix', async () => {
    await connect();
    const bare = await seed({ title: 'Quiet Storm', chapters: '[]' });
    await hear(0, 250, sipho, bare);
    await test.worker.runDue();
    expect(listens()).toEqual(['Weekender: Quiet Storm']);
  });

  it('counts what was heard before a reload of the page', async () => {
    await connect();
    await hear(0, 50);
    await hear(50, 100);
    await test.worker.runDue();
    expect(listens()).toEqual(['Relay Room: Substation Intro']);
  });

  itOnSqlite('never scrobbles a preview', async () => {
    const free = await createUser(test);
    await connect(undefined, free);
    await hear(30, 50, free);
    await hear(0, 300, free);
    await test.worker.runDue();
    expect([listens(), fake.playing]).toEqual([[], []]);
  });

  it('is private while scrobbling is paused', async () => {
    await connect();
    const url = '/api/me/scrobbling';
    const pause = (isPaused: boolean) =>
      sipho.client.request({ method: 'PATCH', url, payload: { isPaused } });
    expect((await pause(true)).json()).toMatchObject({ isPaused: true });
    await hear(0, 300);
    await test.worker.runDue();
    expect([listens(), fake.playing]).toEqual([[], []]);
    await pause(false);
    await hear(180, 430);
    await test.worker.runDue();
    expect(listens()).toEqual(['Moyo: Tidal Wires']);
  });

  itOnSqlite('costs those who don’t scrobble no query', async () => {
    const naledi = await createSubscriber(test, 'naledi');
    const count = async (member: TestUser) => {
      const steps = await recordPlan(test.deps.database, () => hear(0, 10, member));
      return steps.filter(({ table }) => /scrobble|current_listens/.test(table)).length;
    };
    expect(await count(naledi)).toBe(0);
    await connect();
    expect(await count(sipho)).toBeGreaterThan(0);
  });
});

describe('sending', () => {
  itOnSqlite('happens once each, also when an answer is lost', async () => {
    await connect();
    await hear(0, 500);
    const before = await listQueued();
    expect(before).toHaveLength(2);
    await test.worker.runDue();
    // As if the server had stopped before it noted the answer.
    const { db } = test.deps.database;
    await db.insertInto('scrobbles').values(before).execute();
    await hear(780, 1000);
    await test.worker.runDue();
    expect(listens()).toEqual([
      'Relay Room: Substation Intro',
      'Moyo: Tidal Wires',
      'Weekender: Outro',
    ]);
    expect(await listQueued()).toEqual([]);
  });

  itOnSqlite('waits as long as a service over its limit asks', async () => {
    await connect();
    fake.setMood('limited');
    await hear(0, 100);
    await test.worker.runDue();
    const [job] = (await listJobs()).filter(({ name }) => name === 'submit-listens');
    expect(job?.run_at).toBe(test.clock.now() + 30 * MINUTE);
    expect((await read()).listenbrainz).toMatchObject({ state: 'waiting', queued: 1 });
    fake.setMood('well');
    test.clock.advance(29 * MINUTE);
    await test.worker.runDue();
    expect(listens()).toEqual([]);
    test.clock.advance(MINUTE);
    await test.worker.runDue();
    expect(listens()).toEqual(['Relay Room: Substation Intro']);
    expect((await read()).listenbrainz).toMatchObject({ state: 'connected', queued: 0 });
  });

  it('tries again with growing pauses, and never fails for an administrator', async () => {
    await connect();
    fake.setMood('broken');
    await hear(0, 100);
    const pauses: number[] = [];
    for (let attempt = 0; attempt < 4; attempt += 1) {
      await test.worker.runDue();
      const [job] = (await listJobs()).filter(({ name }) => name === 'submit-listens');
      expect(job?.state).toBe('ready');
      pauses.push((job?.run_at ?? 0) - test.clock.now());
      test.clock.advance(pauses.at(-1) ?? 0);
    }
    expect(pauses).toEqual(pauses.toSorted((a, b) => a - b));
    expect(pauses[0]).toBeGreaterThanOrEqual(5000);
    expect(await listQueued()).toHaveLength(1);
  });

  it('stops when the token is refused, says so, and goes on with a new one', async () => {
    await connect();
    await hear(0, 100);
    fake.tokens.clear();
    await test.worker.runDue();
    expect((await read()).listenbrainz).toMatchObject({ state: 'refused', queued: 1 });
    const { length } = fake.requests;
    await hear(180, 430);
    test.clock.advance(DAY);
    await test.worker.runDue();
    expect(fake.requests).toHaveLength(length);
    fake.tokens.add('another-token');
    await connect({ token: 'another-token', server: fake.origin });
    await test.worker.runDue();
    expect(listens()).toEqual(['Relay Room: Substation Intro']);
  });

  itOnSqlite('drops only the listen that a service rejects', async () => {
    await connect();
    const chapters = CHAPTERS.map((chapter) =>
      chapter.title === 'Tidal Wires' ? { ...chapter, artist: UNWANTED_ARTIST } : chapter,
    );
    track = await seed({ chapters: JSON.stringify(chapters) });
    fake.setMood('rejecting');
    await hear(0, 1200);
    await test.worker.runDue();
    expect(listens()).toEqual(['Relay Room: Substation Intro', 'Weekender: Outro']);
    expect(await listQueued()).toEqual([]);
  });

  itOnSqlite('holds up neither listening nor anyone else while a service is silent', async () => {
    await connect();
    fake.setMood('silent');
    await hear(0, 100);
    const silence = fake.waitForSilence();
    const sending = test.worker.runDue();
    await silence;
    await hear(100, 120);
    expect((await read()).listenbrainz).toMatchObject({ queued: 1 });
    fake.setMood('well');
    fake.hangUp();
    await sending;
    test.clock.advance(MINUTE);
    await test.worker.runDue();
    expect(listens()).toEqual(['Relay Room: Substation Intro']);
  });

  it('gives up what is older than two weeks', async () => {
    await connect();
    fake.setMood('broken');
    await hear(0, 100);
    test.clock.advance(15 * DAY);
    await tendScrobbles.execute(test.deps, '{}', {
      id: '',
      attempt: 1,
      maxAttempts: 1,
      signal: new AbortController().signal,
      finish: async () => undefined,
    });
    expect(await listQueued()).toEqual([]);
    expect(await test.deps.database.db.selectFrom('current_listens').selectAll().execute()).toEqual(
      [],
    );
  });

  itOnSqlite('is in the export of one’s data, without the token', async () => {
    await connect();
    fake.setMood('broken');
    await hear(0, 100);
    const { rawPayload } = await sipho.client.request({ url: '/api/me/export' });
    const file = strFromU8(unzipSync(rawPayload)['scrobbling.json'] ?? new Uint8Array());
    expect(JSON.parse(file)).toMatchObject([
      { service: 'listenbrainz', username: 'sipho_brainz', waiting: [{ artist: 'Relay Room' }] },
    ]);
    expect(file).not.toMatch(/secret|v1\./);
  });

  itOnSqlite('ends with the account, which leaves nothing behind', async () => {
    await connect();
    fake.setMood('broken');
    await hear(0, 300);
    await test.worker.runDue();
    const payload = { password: PASSWORD, confirmation: 'delete' };
    const response = await sipho.client.request({ method: 'DELETE', url: '/api/me', payload });
    expect(response.statusCode).toBe(204);
    await test.worker.runDue();
    expect(await findTraces(test.deps.database, [sipho.user.id, 'sipho_brainz'])).toEqual([]);
  });
});
