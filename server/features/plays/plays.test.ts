import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { limitListenedMs } from '#contract/rules/plays.ts';
import { DAY, MINUTE } from '#contract/rules/time.ts';
import { createTestApp, type TestApp, type TestClient } from '../../testing/test-app.ts';
import { createUser, PASSWORD } from '../../testing/test-user.ts';
import { seedTrack } from '../../testing/seed-track.ts';
import type { TracksTable } from '../../db/types/tables.ts';

let test: TestApp;
let track: TracksTable;

beforeEach(async () => {
  test = await createTestApp();
  const { database, storage, clock } = test.deps;
  track = await seedTrack({ db: database.db, storage, now: clock.now() });
});
afterEach(() => test.close());

async function start(client: TestClient, { id } = track): Promise<string> {
  const response = await client.request({ method: 'POST', url: `/api/tracks/${id}/play` });
  expect(response.statusCode).toBe(200);
  return response.json<{ playId: string }>().playId;
}

const beat = (
  client: TestClient,
  playId: string,
  secondsListened: number,
  position = secondsListened,
) =>
  client.request({
    method: 'POST',
    url: `/api/plays/${playId}/heartbeat`,
    payload: { secondsListened, position },
  });

async function listen(client: TestClient, seconds: number, listenedTo = track) {
  const playId = await start(client, listenedTo);
  test.clock.advance(seconds * 1000);
  const response = await beat(client, playId, seconds);
  expect(response.statusCode).toBe(204);
  return playId;
}

async function counts() {
  const { db } = test.deps.database;
  const { play_count: total } = await db
    .selectFrom('tracks')
    .select('play_count')
    .where('id', '=', track.id)
    .executeTakeFirstOrThrow();
  const days = await db
    .selectFrom('play_days')
    .select(['day', 'plays', 'subscriber_listeners', 'free_listeners'])
    .orderBy('day')
    .execute();
  return { total, days };
}

async function countedPlays(): Promise<string[]> {
  const { db } = test.deps.database;
  const plays = db.selectFrom('plays').select('track_id').where('is_counted', '=', 1);
  return (await plays.orderBy('started_at').execute()).map((play) => play.track_id);
}

describe('a play', () => {
  it('counts after 15 seconds of listening and updates the counters', async () => {
    const visitor = test.createClient();
    const playId = await start(visitor);
    const findPlays = () => test.deps.database.db.selectFrom('plays').selectAll().execute();
    const started = { id: playId, track_id: track.id, started_at: test.clock.now() };
    expect(await findPlays()).toMatchObject([{ ...started, listened_ms: 0 }]);
    test.clock.advance(14_000);
    await beat(visitor, playId, 14);
    expect(await findPlays()).toMatchObject([{ ...started, listened_ms: 14_000 }]);
    expect((await counts()).total).toBe(0);
    test.clock.advance(1_000);
    await beat(visitor, playId, 15);
    expect(await counts()).toEqual({
      total: 1,
      days: [{ day: '2026-11-15', plays: 1, subscriber_listeners: 0, free_listeners: 1 }],
    });
    test.clock.advance(60_000);
    await beat(visitor, playId, 75);
    expect((await counts()).total).toBe(1);
  });

  it('counts at most once per listener and track in 30 minutes', async () => {
    const visitor = test.createClient();
    await listen(visitor, 20);
    // This one counts on its own.
    const { database, storage, clock } = test.deps;
    const other = await seedTrack({ db: database.db, storage, now: clock.now() });
    await listen(visitor, 20, other);
    expect(await countedPlays()).toEqual([track.id, other.id]);
    test.clock.advance(30 * MINUTE - 40_001);
    const playId = await listen(visitor, 20);
    expect((await counts()).total).toBe(1);
    test.clock.advance(1);
    await beat(visitor, playId, 20);
    expect(await countedPlays()).toEqual([track.id, other.id, track.id]);
    expect(await counts()).toMatchObject({ total: 2 });
    expect((await counts()).days).toContainEqual(
      expect.objectContaining({ plays: 2, free_listeners: 1 }),
    );
  });

  it('counts again when the last one was counted by a clock that was fast', async () => {
    const visitor = test.createClient();
    test.clock.advance(40 * DAY);
    await listen(visitor, 20);
    test.clock.advance(-40 * DAY);
    // The limit of the address counts as used up now, and recovers.
    const url = `/api/tracks/${track.id}/play`;
    expect((await visitor.request({ method: 'POST', url })).statusCode).toBe(429);
    test.clock.advance(MINUTE);
    await listen(visitor, 20);
    expect((await counts()).total).toBe(2);
  });

  it('counts for each listener', async () => {
    await listen(test.createClient(), 20);
    await listen(test.createClient(), 20);
    expect(await counts()).toMatchObject({ total: 2, days: [{ plays: 2, free_listeners: 2 }] });
  });

  it('never counts for administrators, but stores their progress', async () => {
    const { client, user } = await createUser(test);
    const { db } = test.deps.database;
    await db.updateTable('users').set({ is_admin: 1 }).where('id', '=', user.id).execute();
    await listen(client, 60);
    expect(await counts()).toEqual({ total: 0, days: [] });
    const read = await client.request({ url: `/api/tracks/${track.id}` });
    expect(read.json()).toMatchObject({ plays: 0, progress: { position: 60 } });
  });

  it('limits the reported time to the time that has passed', async () => {
    const visitor = test.createClient();
    const playId = await start(visitor);
    await beat(visitor, playId, 3600);
    expect((await counts()).total).toBe(0);
  });

  it('limits play starts per visitor address', async () => {
    const begin = (client = test.createClient()) =>
      client.request({ method: 'POST', url: `/api/tracks/${track.id}/play` });
    for (let visitor = 0; visitor < 300; visitor += 1) expect((await begin()).statusCode).toBe(200);
    expect((await begin()).statusCode).toBe(429);
    const { client } = await createUser(test);
    expect((await begin(client)).statusCode).toBe(200);
    test.clock.advance(2_000);
    expect((await begin()).statusCode).toBe(200);
  });

  it('limits play starts per member, on all devices together', async () => {
    const { client } = await createUser(test);
    const begin = () => client.request({ method: 'POST', url: `/api/tracks/${track.id}/play` });
    for (let n = 0; n < 300; n += 1) expect((await begin()).statusCode).toBe(200);
    expect((await begin()).statusCode).toBe(429);
    test.clock.advance(2_000);
    expect((await begin()).statusCode).toBe(200);
  });

  it('counts once when two heartbeats arrive at the same time', async () => {
    const visitor = test.createClient();
    const playId = await start(visitor);
    test.clock.advance(20_000);
    await Promise.all([
      beat(visitor, playId, 20),
      beat(visitor, playId, 20),
      beat(visitor, playId, 20),
    ]);
    expect((await counts()).total).toBe(1);
  });

  it("counts for the day in the site's time zone, not the server's", async () => {
    test.clock.advance(Date.UTC(2026, 10, 15, 22, 30) - test.clock.now());
    await listen(test.createClient(), 20);
    expect((await counts()).days.map((row) => row.day)).toEqual(['2026-11-16']);
  });

  it('cannot be continued by another listener, nor started for a missing track', async () => {
    const playId = await start(test.createClient());
    test.clock.advance(20_000);
    expect((await beat(test.createClient(), playId, 20)).statusCode).toBe(404);
    const unknown = await test
      .createClient()
      .request({ method: 'POST', url: '/api/tracks/unknown/play' });
    expect(unknown.statusCode).toBe(404);
    expect((await counts()).total).toBe(0);
  });

  it('continues when the visitor logs in, and belongs to the user from then on', async () => {
    const { client, user } = await createUser(test);
    await client.request({ method: 'POST', url: '/api/auth/logout' });
    const playId = await start(client);
    await client.request({
      method: 'POST',
      url: '/api/auth/login',
      payload: { username: user.username, password: PASSWORD },
    });
    test.clock.advance(20_000);
    expect((await beat(client, playId, 20)).statusCode).toBe(204);
    expect((await counts()).total).toBe(1);
    const read = await client.request({ url: `/api/tracks/${track.id}` });
    expect(read.json()).toMatchObject({ progress: { position: 20 } });
  });

  it.each([
    { secondsListened: -1, position: 0 },
    { secondsListened: 'x', position: 0 },
    { secondsListened: 1 },
    { secondsListened: 1, position: 1, extra: true },
  ])('rejects %j', async (payload) => {
    const visitor = test.createClient();
    const playId = await start(visitor);
    const response = await visitor.request({
      method: 'POST',
      url: `/api/plays/${playId}/heartbeat`,
      payload,
    });
    expect(response.statusCode).toBe(400);
    expect(response.json()).toMatchObject({ code: 'validation_failed' });
  });
});

describe('the reported listening time', () => {
  it('never shrinks and never exceeds the elapsed time', () => {
    fc.assert(
      fc.property(fc.nat(), fc.nat(), fc.nat(), (claimed, known, elapsed) => {
        const believed = limitListenedMs(claimed, known, elapsed);
        expect(believed).toBeGreaterThanOrEqual(known);
        expect(believed).toBeLessThanOrEqual(Math.max(known, elapsed + 2_000));
      }),
    );
  });
});
