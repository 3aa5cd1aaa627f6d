/** @module-tag both-databases */
import { buildPlaylist } from '../../db/build-rows.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Playlist } from '#contract/playlists.ts';
import { MAX_PLAYLISTS } from '#contract/rules/playlists.ts';
import { encodeCursor } from '../../http/route/paginate.ts';
import { newId } from '../../db/ids.ts';
import { recordPlan } from '../../testing/explain.ts';
import { createTestApp, type TestApp } from '../../testing/test-app.ts';
import { createUser, type TestUser } from '../../testing/test-user.ts';
import { playlistClient, seedTracks } from '../../testing/test-playlists.ts';

let test: TestApp;
let owner: TestUser;
let playlists: ReturnType<typeof playlistClient>;
beforeEach(async () => {
  test = await createTestApp();
  owner = await createUser(test);
  playlists = playlistClient(owner.client);
});
afterEach(() => test.close());

async function list(query = '') {
  const response = await playlists.send('GET', query);
  expect(response.statusCode).toBe(200);
  return response.json<{ items: Playlist[]; nextCursor: string | null }>();
}

const names = async () => (await list()).items.map((playlist) => playlist.name);

/** As a member who has made many would find it. */
const insertMany = (count: number) =>
  test.deps.database.db
    .insertInto('playlists')
    .values(
      Array.from({ length: count }, (_, i) =>
        buildPlaylist({
          id: newId(i),
          user_id: owner.user.id,
          name: `Number ${i}`,
          created_at: i,
          // Pairs with the same time: the cursor must not depend on the time alone.
          updated_at: Math.floor(i / 2),
        }),
      ),
    )
    .execute();

describe('a playlist', () => {
  it('can be created, renamed, described and loaded', async () => {
    const id = await playlists.create({ name: '  <b>Sunday</b> & "slow"  ' });
    expect(await playlists.read(id)).toMatchObject({
      name: '<b>Sunday</b> & "slow"',
      description: '',
      trackCount: 0,
      tracks: [],
      shareToken: null,
    });
    const renamed = await playlists.send('PATCH', `/${id}`, { name: 'Monday' });
    expect(renamed.statusCode).toBe(204);
    await playlists.send('PATCH', `/${id}`, { description: ' For the train. ' });
    expect(await playlists.read(id)).toMatchObject({
      name: 'Monday',
      description: 'For the train.',
    });
  });

  it('is created with tracks: each once, in order, published ones only', async () => {
    const [a, b, draft] = await seedTracks(test, ['A', 'B', 'Draft']);
    await test.deps.database.db
      .updateTable('tracks')
      .set({ publish_at: null })
      .where('id', '=', draft?.id ?? '')
      .execute();
    const trackIds = [b?.id, draft?.id, a?.id, b?.id];
    const id = await playlists.create({ name: 'Queue', trackIds });
    expect(await playlists.titles(id)).toEqual(['B', 'A']);
    const nothing = await playlists.send('POST', '', { name: 'X', trackIds: [draft?.id] });
    expect(nothing.statusCode).toBe(404);
    expect(await names()).toEqual(['Queue']);
  });

  it('is created once for the same request key, also at the same time', async () => {
    const request = { name: 'Once', requestKey: 'request-0001' };
    const ids = await Promise.all([1, 2, 3].map(() => playlists.create(request)));
    expect(new Set(ids).size).toBe(1);
    expect(await names()).toEqual(['Once']);
    const sipho = playlistClient((await createUser(test, 'sipho')).client);
    expect(await sipho.create(request)).not.toBe(ids[0]);
  });

  it('rejects empty, long and unknown fields', async () => {
    const id = await playlists.create({ name: 'y'.repeat(80), description: 'z'.repeat(500) });
    const refused = [
      {},
      { name: '   ' },
      { name: 'x'.repeat(81) },
      { name: 'x', description: 'x'.repeat(501) },
      { name: 7 },
      { name: 'a\0b' },
      { name: 'x', userId: 'me' },
      { name: 'x', trackIds: [] },
      { name: 'x', trackIds: Array(1001).fill('t') },
    ];
    for (const payload of refused) {
      const response = await playlists.send('POST', '', payload);
      expect([payload, response.statusCode, response.json()]).toMatchObject([
        payload,
        400,
        { code: 'validation_failed' },
      ]);
    }
    expect((await playlists.send('PATCH', `/${id}`, { name: '' })).statusCode).toBe(400);
    expect(await names()).toEqual(['y'.repeat(80)]);
  });

  it('is not found by other users', async () => {
    const [track] = await seedTracks(test, ['A']);
    const id = await playlists.create({ name: 'Mine', trackIds: [track?.id] });
    const other = playlistClient((await createUser(test, 'sipho')).client);
    const trackId = track?.id ?? '';
    const tries = [
      await other.send('GET', `/${id}`),
      await other.send('PATCH', `/${id}`, { name: 'Theirs' }),
      await other.send('DELETE', `/${id}`),
      await other.send('POST', `/${id}/restore`),
      await other.send('POST', `/${id}/tracks`, { trackIds: [trackId] }),
      await other.send('DELETE', `/${id}/tracks?trackId=${trackId}`),
      await other.send('PUT', `/${id}/order`, { version: 0, trackId, after: null }),
      await other.send('PUT', `/${id}/share`),
      await other.send('DELETE', `/${id}/share`),
    ];
    const unknown = await other.send('GET', '/unknown');
    for (const answer of [...tries, unknown]) expect(answer.statusCode).toBe(404);
    expect(tries[0]?.json()).toEqual(unknown.json());
    expect((await other.send('GET', '')).json()).toMatchObject({ items: [] });
    expect(await playlists.read(id)).toMatchObject({ name: 'Mine', version: 0, shareToken: null });
  });

  it('needs a login', async () => {
    const visitor = playlistClient(test.createClient());
    expect((await visitor.send('GET', '')).statusCode).toBe(401);
    expect((await visitor.send('POST', '', { name: 'x' })).statusCode).toBe(401);
    expect((await visitor.send('GET', '/any')).statusCode).toBe(401);
  });

  it('is one of 200 at most, also when two are created at once', async () => {
    await insertMany(MAX_PLAYLISTS - 1);
    const answers = await Promise.all(
      ['One', 'Two'].map((name) => playlists.send('POST', '', { name })),
    );
    expect(answers.map((answer) => answer.statusCode).toSorted((a, b) => a - b)).toEqual([
      200, 409,
    ]);
    const refused = answers.find((answer) => answer.statusCode === 409);
    expect(refused?.json()).toMatchObject({ code: 'playlist_limit' });
  });
});

describe('the list of playlists', () => {
  it('lists the most recently edited first, page by page', async () => {
    await insertMany(5);
    const all = await names();
    expect(all[0]).toBe('Number 4');
    const paged: string[] = [];
    let query = '?limit=2';
    for (let page = 0; page < 3; page++) {
      const { items, nextCursor } = await list(query);
      paged.push(...items.map((playlist) => playlist.name));
      query = `?limit=2&cursor=${nextCursor}`;
      expect(nextCursor === null).toBe(page === 2);
    }
    expect(paged).toEqual(all);
    expect((await playlists.send('GET', '?cursor=x')).statusCode).toBe(400);
  });

  it('shows the first four sleeves, the count, and which contain a track', async () => {
    const tracks = await seedTracks(test, ['A', 'B', 'C', 'D', 'E']);
    const trackIds = tracks.map((track) => track.id).toReversed();
    await test.deps.database.db
      .updateTable('tracks')
      .set({ week: 7 })
      .where('id', '=', trackIds[0] ?? '')
      .execute();
    await playlists.create({ name: 'Five', trackIds });
    test.clock.advance(1000);
    await playlists.create({ name: 'None' });
    const { items } = await list(`?trackId=${trackIds[4]}`);
    expect(items).toMatchObject([
      { name: 'None', trackCount: 0, sleeves: [], hasTrack: false, isShared: false },
      { name: 'Five', trackCount: 5, hasTrack: true },
    ]);
    expect(items[1]?.sleeves.map((sleeve) => sleeve.weekNumber)).toEqual([7, 46, 46, 46]);
    expect((await list()).items[0]).not.toHaveProperty('hasTrack');
  });

  it('uses an index for every query, on both databases', async () => {
    const [track] = await seedTracks(test, ['A']);
    const trackId = track?.id ?? '';
    const id = await playlists.create({ name: 'Mine', trackIds: [trackId] });
    const steps = await recordPlan(test.deps.database, async () => {
      const { nextCursor } = await list('?limit=1');
      expect(nextCursor).toBeNull();
      await list(`?trackId=${trackId}&cursor=${encodeCursor([test.clock.now() + 1, id])}`);
      await playlists.send('POST', `/${id}/tracks`, { trackIds: [trackId] });
      await playlists.move(id, trackId, null);
      const shared = await playlists.send('PUT', `/${id}/share`);
      const { shareToken } = shared.json<{ shareToken: string }>();
      const url = `/api/shared-playlists/${shareToken}`;
      expect((await owner.client.request({ method: 'GET', url })).statusCode).toBe(200);
      await playlists.send('DELETE', `/${id}`);
      await owner.client.request({ method: 'GET', url: '/api/deleted-playlists' });
      await playlists.create({ name: 'Next', requestKey: 'request-0002' });
    });
    const own = steps.filter(({ table }) => table.startsWith('playlist'));
    expect(own.length).toBeGreaterThan(10);
    expect(own.filter(({ access }) => access !== 'search')).toEqual([]);
  });
});
