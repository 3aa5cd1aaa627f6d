/** @module-tag both-databases */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { HistoryEntry } from '#contract/history.ts';
import type { TracksTable } from '../../db/types/tables.ts';
import { recordPlan } from '../../testing/explain.ts';
import { seedTrack } from '../../testing/seed-track.ts';
import { createTestApp, type TestApp, type TestClient } from '../../testing/test-app.ts';
import { createUser, createSubscriber, payUntil } from '../../testing/test-user.ts';
import { itOnSqlite } from '../../testing/on-sqlite.ts';

let test: TestApp;
beforeEach(async () => {
  test = await createTestApp();
});
afterEach(() => test.close());

const seed = (change: Partial<TracksTable> = {}) => {
  const { database, storage, clock } = test.deps;
  return seedTrack({ db: database.db, storage, now: clock.now() }, change);
};

/** Plays a track for ten seconds, from a position on. */
async function play(client: TestClient, { id }: TracksTable, position = 0) {
  const started = await client.request({ method: 'POST', url: `/api/tracks/${id}/play` });
  test.clock.advance(10_000);
  await client.request({
    method: 'POST',
    url: `/api/plays/${started.json<{ playId: string }>().playId}/heartbeat`,
    payload: { secondsListened: 10, position: position + 10 },
  });
}

type Page = { items: HistoryEntry[]; nextCursor: string | null };
async function read(client: TestClient, query = ''): Promise<Page> {
  const response = await client.request({ url: `/api/history${query}` });
  expect(response.statusCode).toBe(200);
  return response.json<Page>();
}
const titles = ({ items }: Page) => items.map(({ track }) => track.title);

describe('the history', () => {
  itOnSqlite('needs a login', async () => {
    const response = await test.createClient().request({ url: '/api/history' });
    expect(response.statusCode).toBe(401);
  });

  itOnSqlite('lists each track once, latest first, with where the user stopped', async () => {
    const { client } = await createSubscriber(test);
    const [first, second] = [await seed({ title: 'first' }), await seed({ title: 'second' })];
    await play(client, first);
    await play(client, second);
    await play(client, first, 50);
    const page = await read(client);
    expect(titles(page)).toEqual(['first', 'second']);
    const progress = { position: 60, isFinished: false, listenedAt: test.clock.now() };
    expect(page).toMatchObject({ items: [{ ...progress, track: { progress } }, {}] });
    expect(page.nextCursor).toBeNull();
  });

  it('lists tracks with more left to hear, however much was heard since', async () => {
    const { client, user } = await createSubscriber(test);
    const seedProgress = async (
      title: string,
      change: { is_finished?: 1; listened_ms: number },
    ) => {
      const { id } = await seed({ title });
      const position = { position_ms: 10_000, is_finished: 0 as const };
      await test.deps.database.db
        .insertInto('progress')
        .values({
          user_id: user.id,
          track_id: id,
          last_listened_at: test.clock.now(),
          ...position,
          ...change,
        })
        .execute();
      test.clock.advance(1000);
    };
    await seedProgress('started', { listened_ms: 60_000 });
    await seedProgress('a few seconds', { listened_ms: 14_999 });
    for (let n = 0; n < 3; n++)
      await seedProgress(`heard ${n}`, { is_finished: 1, listened_ms: 60_000 });
    await seedProgress('just enough', { listened_ms: 15_000 });
    expect(titles(await read(client, '?state=started&limit=2'))).toEqual([
      'just enough',
      'started',
    ]);
    expect(titles(await read(client))).toHaveLength(6);
  });

  itOnSqlite('belongs to one user', async () => {
    const { client } = await createSubscriber(test);
    await play(client, await seed({ title: 'first' }));
    const { client: free } = await createUser(test);
    expect(await read(free)).toEqual({ items: [], nextCursor: null });
    await play(free, await seed({ title: 'second' }));
    expect(titles(await read(free))).toEqual(['second']);
    expect(titles(await read(client))).toEqual(['first']);
  });

  itOnSqlite('has pages that neither lose nor repeat a track, also with equal times', async () => {
    const { client, user } = await createSubscriber(test);
    const now = test.clock.now();
    for (let n = 0; n < 5; n++) {
      const { id } = await seed({ title: `mix ${n}` });
      await test.deps.database.db
        .insertInto('progress')
        .values({
          user_id: user.id,
          track_id: id,
          position_ms: 0,
          listened_ms: 0,
          is_finished: 0,
          last_listened_at: now,
        })
        .execute();
    }
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page: Page = await read(client, `?limit=2${cursor && `&cursor=${cursor}`}`);
      seen.push(...titles(page));
      cursor = page.nextCursor;
    }
    expect(seen.toSorted()).toEqual(['mix 0', 'mix 1', 'mix 2', 'mix 3', 'mix 4']);
  });

  itOnSqlite('leaves out tracks the user may no longer see', async () => {
    const { client, user } = await createSubscriber(test);
    await play(client, await seed({ title: 'for subscribers', is_subscriber_only: 1 }));
    await play(client, await seed({ title: 'for all' }));
    await payUntil(test, user, null);
    expect(titles(await read(client))).toEqual(['for all']);
  });

  itOnSqlite('rejects a changed cursor', async () => {
    const { client } = await createUser(test);
    const response = await client.request({ url: '/api/history?cursor=WzEsMl0' });
    expect(response.statusCode).toBe(400);
  });

  it('is loaded by its index, whatever its length', async () => {
    const { client } = await createSubscriber(test);
    for (let n = 0; n < 3; n++) await play(client, await seed());
    const { nextCursor } = await read(client, '?limit=1');
    const plan = await recordPlan(test.deps.database, () =>
      read(client, `?limit=1&cursor=${nextCursor}`),
    );
    const steps = plan.filter(({ table }) => table === 'progress').map(({ access }) => access);
    expect(steps).not.toEqual([]);
    expect(steps.filter((access) => access !== 'search')).toEqual([]);
  });
});
