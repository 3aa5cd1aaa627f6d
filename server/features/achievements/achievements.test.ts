/** @module-tag both-databases */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Achievement } from '#contract/achievements.ts';
import type { TracksTable } from '../../db/types/tables.ts';
import { seedTrack } from '../../testing/seed-track.ts';
import { createTestApp, type TestApp, type TestClient } from '../../testing/test-app.ts';
import { playlistClient } from '../../testing/test-playlists.ts';
import { createUser, createSubscriber } from '../../testing/test-user.ts';
import { HOUR } from '#contract/rules/time.ts';

let test: TestApp;
beforeEach(async () => {
  test = await createTestApp();
});
afterEach(() => test.close());

const seed = (change: Partial<TracksTable> = {}) => {
  const { database, storage, clock } = test.deps;
  return seedTrack({ db: database.db, storage, now: clock.now() }, change);
};

async function listen(client: TestClient, trackId: string, seconds: number, position = seconds) {
  const started = await client.request({ method: 'POST', url: `/api/tracks/${trackId}/play` });
  const { playId } = started.json<{ playId: string }>();
  test.clock.advance(seconds * 1000);
  await client.request({
    method: 'POST',
    url: `/api/plays/${playId}/heartbeat`,
    payload: { secondsListened: seconds, position },
  });
}

async function read(client: TestClient): Promise<Map<string, Achievement>> {
  const response = await client.request({ url: '/api/achievements' });
  expect(response.statusCode).toBe(200);
  const { items } = response.json<{ items: Achievement[] }>();
  return new Map(items.map((item) => [item.id, item]));
}

describe('achievements', () => {
  it('are earned by listening, with progress, a date, and an announcement until it was shown', async () => {
    const { client } = await createUser(test);
    const track = await seed();
    expect((await read(client)).get('first-play')).toMatchObject({ progress: 0, earnedAt: null });

    await listen(client, track.id, 20);
    const earned = (await read(client)).get('first-play');
    expect(earned).toMatchObject({ progress: 1, earnedAt: test.clock.now(), isNew: true });
    expect((await read(client)).get('plays-10')).toMatchObject({ progress: 1, goal: 10 });

    const seen = { method: 'POST', url: '/api/achievements/seen' } as const;
    await client.request({ ...seen, payload: { ids: ['first-play', 'no-such-thing'] } });
    test.clock.advance(HOUR);
    expect((await read(client)).get('first-play')).toEqual({ ...earned, isNew: false });
  });

  it('stay earned even if the favorites or playlists are removed', async () => {
    const { client } = await createUser(test);
    const track = await seed();
    const url = `/api/tracks/${track.id}/favorite`;
    await client.request({ method: 'POST', url });
    expect((await read(client)).get('first-favorite')).toMatchObject({ isNew: true });
    await client.request({ method: 'DELETE', url });
    expect((await read(client)).get('first-favorite')).toMatchObject({ progress: 1, isNew: true });
    expect((await read(client)).get('playlist')).toMatchObject({ progress: 0, isNew: false });
    const playlists = playlistClient(client);
    const id = await playlists.create({ name: 'Mine' });
    expect((await read(client)).get('playlist')).toMatchObject({ progress: 1, isNew: true });
    await playlists.send('DELETE', `/${id}`);
    expect((await read(client)).get('playlist')).toMatchObject({ progress: 1, isNew: true });
  });

  it('count plays once per half hour, at night, within a day of release, and per week', async () => {
    const { client } = await createUser(test);
    // Sunday 14:00 in Johannesburg; the mix has just come out.
    const track = await seed();
    await listen(client, track.id, 20);
    await listen(client, track.id, 20);
    // Monday 01:00: another week, another day's early play, at night.
    test.clock.advance(11 * HOUR);
    await listen(client, track.id, 20);
    const facts = await read(client);
    expect(facts.get('plays-10')).toMatchObject({ progress: 2 });
    expect(facts.get('night')).toMatchObject({ progress: 1 });
    expect(facts.get('early-bird')).toMatchObject({ progress: 2 });
    expect(facts.get('streak-4')).toMatchObject({ progress: 2 });
  });

  it('count finished mixes, and a finished year once it is over', async () => {
    const { client } = await createSubscriber(test);
    const first = await seed({ year: 2025, week: 10 });
    const second = await seed({ year: 2025, week: 11 });
    await seed({ year: 2026, week: 1 });
    await listen(client, first.id, 95);
    expect((await read(client)).get('whole-year')).toMatchObject({ progress: 50, earnedAt: null });
    await listen(client, second.id, 95);
    const facts = await read(client);
    expect(facts.get('whole-year')).toMatchObject({ progress: 100, isNew: true });
    expect(facts.get('finished-10')).toMatchObject({ progress: 2 });
  });

  it.each([
    ['a counted play', 'first-play', (client: TestClient, id: string) => listen(client, id, 20)],
    [
      'a favorite',
      'first-favorite',
      (client: TestClient, id: string) =>
        client.request({ method: 'POST', url: `/api/tracks/${id}/favorite` }),
    ],
    [
      'a playlist',
      'playlist',
      (client: TestClient) =>
        client.request({ method: 'POST', url: '/api/playlists', payload: { name: 'Slow Sunday' } }),
    ],
  ])('are signalled to open pages when %s earns one, and not again', async (_what, id, earn) => {
    const { client, user } = await createUser(test);
    const track = await seed();
    const { db } = test.deps.database;
    const countSignals = async () => {
      const signals = await db.selectFrom('signals').select('topic').execute();
      return signals.filter(({ topic }) => topic === `user:${user.id}/achievements`).length;
    };
    await earn(client, track.id);
    expect(await countSignals()).toBe(1);
    expect((await read(client)).get(id)).toMatchObject({ isNew: true });
    test.clock.advance(HOUR);
    await earn(client, track.id);
    expect(await countSignals()).toBe(1);
  });

  it('include one for members of the first month', async () => {
    const founder = await createUser(test, 'thandi');
    expect((await read(founder.client)).get('founder')).toMatchObject({ progress: 1 });
    test.clock.advance(31 * 24 * HOUR);
    const late = await createUser(test, 'sipho');
    expect((await read(late.client)).get('founder')).toMatchObject({ progress: 0 });
  });

  it('count plays of two tabs at the same time', async () => {
    const { client } = await createUser(test);
    const tracks = [await seed(), await seed(), await seed()];
    const ids = await Promise.all(
      tracks.map(async ({ id }) => {
        const started = await client.request({ method: 'POST', url: `/api/tracks/${id}/play` });
        return started.json<{ playId: string }>().playId;
      }),
    );
    test.clock.advance(20_000);
    const payload = { secondsListened: 20, position: 20 };
    await Promise.all(
      ids.map((id) =>
        client.request({ method: 'POST', url: `/api/plays/${id}/heartbeat`, payload }),
      ),
    );
    expect((await read(client)).get('plays-10')).toMatchObject({ progress: 3 });
  });

  it("are private and can't be claimed by request", async () => {
    const visitor = test.createClient();
    expect((await visitor.request({ url: '/api/achievements' })).statusCode).toBe(401);
    const { client } = await createUser(test);
    const listener = await createUser(test, 'sipho');
    await listen(listener.client, (await seed()).id, 20);
    expect((await read(listener.client)).get('first-play')).toMatchObject({ isNew: true });
    expect((await read(client)).get('first-play')).toMatchObject({ progress: 0, earnedAt: null });
    const claim = { method: 'POST', url: '/api/achievements/seen' } as const;
    const payload = { ids: ['plays-100'], earnedAt: 1 };
    expect((await client.request({ ...claim, payload })).statusCode).toBe(400);
    await client.request({ ...claim, payload: { ids: ['plays-100'] } });
    expect((await read(client)).get('plays-100')).toMatchObject({ earnedAt: null });
  });
});
