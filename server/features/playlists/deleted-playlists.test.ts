import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { DeletedPlaylist } from '#contract/playlists.ts';
import { DELETED_PLAYLIST_MS, MAX_DELETED_PLAYLISTS } from '#contract/rules/playlists.ts';
import { createTestApp, type TestApp } from '../../testing/test-app.ts';
import { createUser, type TestUser } from '../../testing/test-user.ts';
import { playlistClient, seedTracks } from '../../testing/test-playlists.ts';
import { sweepExpired } from '../system/jobs.ts';

let test: TestApp;
let owner: TestUser;
let playlists: ReturnType<typeof playlistClient>;
beforeEach(async () => {
  test = await createTestApp();
  owner = await createUser(test);
  playlists = playlistClient(owner.client);
});
afterEach(() => test.close());

const remove = (id: string) => playlists.send('DELETE', `/${id}`);
const restore = (id: string) => playlists.send('POST', `/${id}/restore`);
async function deletedNames(): Promise<string[]> {
  const response = await owner.client.request({ method: 'GET', url: '/api/deleted-playlists' });
  return response.json<{ items: DeletedPlaylist[] }>().items.map((playlist) => playlist.name);
}
const sweep = () => sweepExpired(test.deps.database.db, { now: test.clock.now(), isDemo: true });
const countRows = async (table: 'playlists' | 'playlist_tracks') =>
  (await test.deps.database.db.selectFrom(table).selectAll().execute()).length;

describe('a deleted playlist', () => {
  it('is hidden immediately and can be restored', async () => {
    const tracks = await seedTracks(test, ['A', 'B', 'C']);
    const trackIds = tracks.map((track) => track.id);
    const id = await playlists.create({ name: 'Mine', description: 'Slow', trackIds });
    await playlists.move(id, trackIds[2] ?? '', null);
    const before = await playlists.read(id);
    for (let i = 0; i < 2; i++) expect((await remove(id)).statusCode).toBe(204);
    expect((await playlists.send('GET', `/${id}`)).statusCode).toBe(404);
    expect((await playlists.send('PATCH', `/${id}`, { name: 'x' })).statusCode).toBe(404);
    expect((await playlists.send('GET', '')).json()).toMatchObject({ items: [] });
    expect(await deletedNames()).toEqual(['Mine']);
    for (let i = 0; i < 2; i++) expect((await restore(id)).statusCode).toBe(204);
    expect(await playlists.read(id)).toEqual(before);
    expect(await deletedNames()).toEqual([]);
  });

  it('can be restored for a week, then is deleted with its tracks', async () => {
    const [track] = await seedTracks(test, ['A']);
    const id = await playlists.create({ name: 'Mine', trackIds: [track?.id] });
    await playlists.create({ name: 'Kept', trackIds: [track?.id] });
    await remove(id);
    test.clock.advance(DELETED_PLAYLIST_MS - 1);
    await sweep();
    expect(await deletedNames()).toEqual(['Mine']);
    test.clock.advance(1);
    expect((await restore(id)).statusCode).toBe(404);
    expect(await deletedNames()).toEqual([]);
    await sweep();
    expect([await countRows('playlists'), await countRows('playlist_tracks')]).toEqual([1, 1]);
  });

  it("frees a slot, and can't be restored when that is taken", async () => {
    const { db } = test.deps.database;
    const gone = await playlists.create({ name: 'Gone' });
    await remove(gone);
    const row = await db.selectFrom('playlists').selectAll().executeTakeFirstOrThrow();
    await db
      .insertInto('playlists')
      .values(Array.from({ length: 200 }, (_, i) => ({ ...row, id: `p${i}`, deleted_at: null })))
      .execute();
    const answer = await restore(gone);
    expect([answer.statusCode, answer.json()]).toMatchObject([409, { code: 'playlist_limit' }]);
    await remove('p0');
    expect((await restore(gone)).statusCode).toBe(204);
  });

  it('is one of the last twenty', async () => {
    for (let i = 0; i <= MAX_DELETED_PLAYLISTS; i++) {
      test.clock.advance(1);
      await remove(await playlists.create({ name: `Number ${i}` }));
    }
    const names = await deletedNames();
    expect(names).toHaveLength(MAX_DELETED_PLAYLISTS);
    expect([names[0], names.at(-1)]).toEqual(['Number 20', 'Number 1']);
    expect(await countRows('playlists')).toBe(MAX_DELETED_PLAYLISTS);
  });
});
