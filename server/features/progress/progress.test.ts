import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Progress, Track } from '#contract/tracks.ts';
import type { TracksTable } from '../../db/types/tables.ts';
import { seedTrack } from '../../testing/seed-track.ts';
import { createTestApp, type TestApp, type TestClient } from '../../testing/test-app.ts';
import {
  createUser,
  createSubscriber,
  MONTH,
  PASSWORD,
  payUntil,
} from '../../testing/test-user.ts';

let test: TestApp;
let track: TracksTable;

const seed = (change: Partial<TracksTable> = {}) => {
  const { database, storage, clock } = test.deps;
  return seedTrack({ db: database.db, storage, now: clock.now() }, change);
};

beforeEach(async () => {
  test = await createTestApp();
  track = await seed({ duration_ms: 600_000 });
});
afterEach(() => test.close());

async function start(client: TestClient, id = track.id): Promise<string> {
  const response = await client.request({ method: 'POST', url: `/api/tracks/${id}/play` });
  return response.json<{ playId: string }>().playId;
}

async function beat(client: TestClient, playId: string, secondsListened: number, position: number) {
  const response = await client.request({
    method: 'POST',
    url: `/api/plays/${playId}/heartbeat`,
    payload: { secondsListened, position },
  });
  expect(response.statusCode).toBe(204);
}

/** Plays for so long and stops at a position. */
async function listen(client: TestClient, seconds: number, position: number, id = track.id) {
  const playId = await start(client, id);
  test.clock.advance(seconds * 1000);
  await beat(client, playId, seconds, position);
}

async function signIn(username: string): Promise<TestClient> {
  const client = test.createClient();
  await client.request({
    method: 'POST',
    url: '/api/auth/login',
    payload: { username, password: PASSWORD },
  });
  return client;
}

async function progress(client: TestClient, id = track.id): Promise<Progress | null> {
  const response = await client.request({ url: `/api/tracks/${id}` });
  return response.json<Track>().progress;
}

const listenedMs = async (): Promise<number[]> => {
  const rows = await test.deps.database.db.selectFrom('progress').select('listened_ms').execute();
  return rows.map((row) => row.listened_ms);
};

describe('progress', () => {
  it('is null for visitors and for tracks never started', async () => {
    const visitor = test.createClient();
    await listen(visitor, 60, 60);
    expect(await progress(visitor)).toBeNull();
    const { client } = await createUser(test);
    expect(await progress(client)).toBeNull();
    expect(await listenedMs()).toEqual([]);
  });

  it('starts with the play and follows the heartbeats, in lists and on the page', async () => {
    const { client } = await createSubscriber(test);
    await seed({ week: 45 });
    const startedAt = test.clock.now();
    const playId = await start(client);
    expect(await progress(client)).toEqual({
      position: 0,
      isFinished: false,
      listened: 0,
      listenedAt: startedAt,
    });
    test.clock.advance(30_000);
    await beat(client, playId, 30, 90.5);
    const expected = {
      position: 90.5,
      isFinished: false,
      listened: 30,
      listenedAt: startedAt + 30_000,
    };
    expect(await progress(client)).toEqual(expected);
    const list = await client.request({ url: '/api/tracks' });
    const items = list.json<{ items: Track[] }>().items.map((item) => item.progress);
    expect(items).toEqual([expected, null]);
  });

  it('belongs to one user', async () => {
    const { client } = await createSubscriber(test, 'sipho');
    await listen(client, 60, 60);
    const other = await createSubscriber(test, 'lerato');
    expect(await progress(other.client)).toBeNull();
  });

  it('continues where another device stopped', async () => {
    const phone = (await createSubscriber(test, 'sipho')).client;
    const laptop = await signIn('sipho');
    await listen(phone, 60, 60);
    test.clock.advance(60_000);
    await listen(laptop, 30, 240);
    expect(await progress(phone)).toMatchObject({ position: 240 });
    expect(await listenedMs()).toEqual([90_000]);
  });

  it('keeps its position when the track is only started again', async () => {
    const { client } = await createSubscriber(test);
    await listen(client, 60, 60);
    test.clock.advance(1_000);
    await start(client);
    expect(await progress(client)).toMatchObject({ position: 60, listenedAt: test.clock.now() });
  });

  it('ignores the position of a late heartbeat', async () => {
    const { client } = await createSubscriber(test);
    const playId = await start(client);
    test.clock.advance(60_000);
    await beat(client, playId, 50, 50);
    await beat(client, playId, 40, 40);
    expect(await progress(client)).toMatchObject({ position: 50 });
    expect(await listenedMs()).toEqual([50_000]);
  });

  it('adds up the reports of two tabs without counting a second twice', async () => {
    const { client } = await createSubscriber(test);
    const plays = [await start(client), await start(client)];
    test.clock.advance(20_000);
    await Promise.all(plays.flatMap((id) => [10, 20, 20].map((s) => beat(client, id, s, s))));
    expect(await listenedMs()).toEqual([40_000]);
  });

  it('ends with the track, whatever a client reports', async () => {
    const { client } = await createSubscriber(test);
    await listen(client, 10, 86_400);
    expect(await progress(client)).toMatchObject({ position: 600, isFinished: false });
  });

  it('is deleted with the account', async () => {
    const { client, user } = await createSubscriber(test);
    await listen(client, 60, 60);
    await test.deps.database.db.deleteFrom('users').where('id', '=', user.id).execute();
    expect(await listenedMs()).toEqual([]);
  });
});

/** The topics of changes that open pages are told about. */
const signals = async (): Promise<string[]> => {
  const { db } = test.deps.database;
  const rows = await db
    .selectFrom('signals')
    .select('topic')
    .where('topic', 'like', '%/listening:%')
    .orderBy('id')
    .execute();
  return rows.map((row) => row.topic);
};

describe('open pages', () => {
  it('are told when a track is started, and when it is heard to the end', async () => {
    const { client, user } = await createSubscriber(test);
    const told = `user:${user.id}/listening:${track.id}`;
    await test.deps.database.db.deleteFrom('signals').execute();
    const playId = await start(client);
    const reach = async (seconds: number) => {
      test.clock.advance(seconds * 1000);
      await beat(client, playId, seconds, seconds);
    };
    await reach(10);
    expect(await signals()).toEqual([]);
    await reach(20);
    expect(await signals()).toEqual([told]);
    await reach(500);
    expect(await signals()).toEqual([told]);
    await reach(600);
    expect(await signals()).toEqual([told, told]);
    await listen(client, 100, 100);
    expect(await signals()).toEqual([told, told]);
  });

  it('are told when the listener skips to the end', async () => {
    const { client, user } = await createSubscriber(test);
    await test.deps.database.db.deleteFrom('signals').execute();
    await listen(client, 5, 600);
    expect(await signals()).toEqual([`user:${user.id}/listening:${track.id}`]);
  });
});

describe('a track', () => {
  it('is finished after its ending was played, and stays finished when played again', async () => {
    const { client } = await createSubscriber(test);
    await listen(client, 300, 300);
    expect(await progress(client)).toMatchObject({ isFinished: false });
    await listen(client, 290, 590);
    expect(await progress(client)).toMatchObject({ isFinished: true });
    await listen(client, 20, 20);
    expect(await progress(client)).toMatchObject({ isFinished: true, position: 20 });
  });

  it('is never finished by previews, only started', async () => {
    const { client } = await createUser(test);
    for (let n = 0; n < 31; n++) await listen(client, 20, 590);
    expect(await listenedMs()).toEqual([620_000]);
    expect(await progress(client)).toMatchObject({ isFinished: false });
  });

  it('can be finished by a user who subscribed in the middle of it', async () => {
    const { client, user } = await createUser(test);
    const playId = await start(client);
    test.clock.advance(600_000);
    await payUntil(test, user, test.clock.now() + MONTH);
    await beat(client, playId, 580, 600);
    expect(await progress(client)).toMatchObject({ isFinished: true });
  });
});
