/** @module-tag both-databases */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Track } from '#contract/tracks.ts';
import { seedTrack } from '../../testing/seed-track.ts';
import { createTestApp, type TestApp, type TestClient } from '../../testing/test-app.ts';
import { createUser } from '../../testing/test-user.ts';
import type { TracksTable } from '../../db/types/tables.ts';
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

type Method = 'GET' | 'POST' | 'DELETE';
const favorite = (client: TestClient, method: Method, trackId: string) =>
  client.request({ method, url: `/api/tracks/${trackId}/favorite` });

async function isFavorite(client: TestClient, trackId: string): Promise<boolean> {
  const response = await favorite(client, 'GET', trackId);
  expect(response.statusCode).toBe(200);
  return response.json<{ isFavorite: boolean }>().isFavorite;
}

async function list(client: TestClient, query = '') {
  const response = await client.request({ method: 'GET', url: `/api/favorites${query}` });
  expect(response.statusCode).toBe(200);
  const { items, nextCursor } = response.json<{ items: Track[]; nextCursor: string | null }>();
  return { titles: items.map((track) => track.title), nextCursor };
}

describe('a favorite', () => {
  itOnSqlite('can be added, checked and removed, and repeating that changes nothing', async () => {
    const { client } = await createUser(test);
    const track = await seed();
    expect(await isFavorite(client, track.id)).toBe(false);
    for (let i = 0; i < 2; i++) {
      expect((await favorite(client, 'POST', track.id)).statusCode).toBe(204);
      expect(await isFavorite(client, track.id)).toBe(true);
    }
    expect((await list(client)).titles).toEqual([track.title]);
    for (let i = 0; i < 2; i++) {
      expect((await favorite(client, 'DELETE', track.id)).statusCode).toBe(204);
      expect(await isFavorite(client, track.id)).toBe(false);
    }
    expect((await list(client)).titles).toEqual([]);
  });

  itOnSqlite('keeps its position when it is added again', async () => {
    const { client } = await createUser(test);
    const first = await seed({ title: 'First' });
    const second = await seed({ title: 'Second' });
    for (const track of [first, second, first]) {
      test.clock.advance(1000);
      await favorite(client, 'POST', track.id);
    }
    expect((await list(client)).titles).toEqual(['Second', 'First']);
  });

  it('is consistent when it is toggled many times at once', async () => {
    const { client } = await createUser(test);
    const track = await seed();
    const methods = Array.from({ length: 24 }, (_, i): Method => (i % 2 ? 'DELETE' : 'POST'));
    const answers = await Promise.all(methods.map((method) => favorite(client, method, track.id)));
    expect(answers.map((answer) => answer.statusCode)).toEqual(methods.map(() => 204));
    const { titles } = await list(client);
    expect(titles).toEqual((await isFavorite(client, track.id)) ? [track.title] : []);
    await Promise.all([1, 2, 3].map(() => favorite(client, 'POST', track.id)));
    expect((await list(client)).titles).toEqual([track.title]);
  });

  itOnSqlite('is marked on the track in every list, for its user only', async () => {
    const { client } = await createUser(test);
    const track = await seed();
    await seed({ title: 'Another' });
    await favorite(client, 'POST', track.id);
    const marksFor = async (viewer: TestClient) => {
      const response = await viewer.request({ method: 'GET', url: '/api/tracks' });
      const { items } = response.json<{ items: Track[] }>();
      return Object.fromEntries(items.map((item) => [item.title, item.isFavorite]));
    };
    expect(await marksFor(client)).toEqual({ [track.title]: true, Another: false });
    expect(await marksFor(test.createClient())).toEqual({ [track.title]: false, Another: false });
    const one = await client.request({ method: 'GET', url: `/api/tracks/${track.id}` });
    expect(one.json<Track>().isFavorite).toBe(true);
  });

  itOnSqlite('belongs to one user', async () => {
    const thandi = await createUser(test, 'thandi');
    const sipho = await createUser(test, 'sipho');
    const track = await seed();
    await favorite(thandi.client, 'POST', track.id);
    expect(await isFavorite(sipho.client, track.id)).toBe(false);
    expect((await list(sipho.client)).titles).toEqual([]);
    expect((await list(thandi.client)).titles).toEqual([track.title]);
    await favorite(sipho.client, 'DELETE', track.id);
    expect(await isFavorite(thandi.client, track.id)).toBe(true);
  });

  itOnSqlite('needs a login', async () => {
    const visitor = test.createClient();
    const track = await seed();
    for (const method of ['GET', 'POST', 'DELETE'] as const)
      expect((await favorite(visitor, method, track.id)).statusCode).toBe(401);
    const response = await visitor.request({ method: 'GET', url: '/api/favorites' });
    expect(response.statusCode).toBe(401);
  });

  itOnSqlite('needs a track that the user may see', async () => {
    const { client } = await createUser(test);
    const draft = await seed({ publish_at: null });
    const premium = await seed({ is_subscriber_only: 1 });
    for (const method of ['GET', 'POST', 'DELETE'] as const) {
      expect((await favorite(client, method, 'unknown')).statusCode).toBe(404);
      expect((await favorite(client, method, draft.id)).statusCode).toBe(404);
      expect((await favorite(client, method, premium.id)).statusCode).toBe(403);
    }
    expect((await list(client)).titles).toEqual([]);
  });

  itOnSqlite('is hidden but can still be removed when its track is unpublished', async () => {
    const { client } = await createUser(test);
    const track = await seed();
    await favorite(client, 'POST', track.id);
    const setPublishAt = (publish_at: number | null) =>
      test.deps.database.db
        .updateTable('tracks')
        .set({ publish_at })
        .where('id', '=', track.id)
        .execute();
    await setPublishAt(null);
    expect((await list(client)).titles).toEqual([]);
    expect((await favorite(client, 'DELETE', track.id)).statusCode).toBe(204);
    await setPublishAt(track.publish_at);
    expect(await isFavorite(client, track.id)).toBe(false);
  });
});

describe('the list of favorites', () => {
  it('lists the newest first, page by page', async () => {
    const { client } = await createUser(test);
    for (const title of ['A', 'B', 'C', 'D', 'E']) {
      const { id } = await seed({ title });
      // Two of them at the same instant: the place must not depend on the time alone.
      if (title !== 'C') test.clock.advance(1000);
      await favorite(client, 'POST', id);
    }
    const all = (await list(client)).titles;
    expect([all[0], all[1], all[4]]).toEqual(['E', 'D', 'A']);
    const paged: string[] = [];
    let query = '?limit=2';
    for (let page = 0; page < 3; page++) {
      const { titles, nextCursor } = await list(client, query);
      paged.push(...titles);
      query = `?limit=2&cursor=${nextCursor}`;
      expect(nextCursor === null).toBe(page === 2);
    }
    expect(paged).toEqual(all);
  });

  itOnSqlite('rejects a forged cursor', async () => {
    const { client } = await createUser(test);
    const response = await client.request({ method: 'GET', url: '/api/favorites?cursor=x' });
    expect(response.statusCode).toBe(400);
  });
});
