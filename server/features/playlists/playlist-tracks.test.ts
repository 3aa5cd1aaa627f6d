/** @module-tag both-databases */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MAX_PLAYLIST_TRACKS } from '#contract/rules/playlists.ts';
import type { TracksTable } from '../../db/types/tables.ts';
import { createTestApp, type TestApp } from '../../testing/test-app.ts';
import { createUser } from '../../testing/test-user.ts';
import { playlistClient, seedTracks } from '../../testing/test-playlists.ts';
import { describeOnSqlite } from '../../testing/on-sqlite.ts';

let test: TestApp;
let playlists: ReturnType<typeof playlistClient>;
let tracks: TracksTable[];
let id: string;
beforeEach(async () => {
  test = await createTestApp();
  playlists = playlistClient((await createUser(test)).client);
  tracks = await seedTracks(test, ['A', 'B', 'C', 'D']);
  id = await playlists.create({ name: 'Mine', trackIds: tracks.map((track) => track.id) });
});
afterEach(() => test.close());

const idOf = (title: string) => tracks.find((track) => track.title === title)?.id ?? title;
const titles = async () => (await playlists.titles(id)).join('');
const add = (title: string, after?: string | null) =>
  playlists.send('POST', `/${id}/tracks`, {
    trackIds: [idOf(title)],
    ...(after !== undefined && { after: after && idOf(after) }),
  });
const remove = (title: string) => playlists.send('DELETE', `/${id}/tracks?trackId=${idOf(title)}`);
const move = (title: string, after: string | null) =>
  playlists.move(id, idOf(title), after && idOf(after));

const setPublishAt = (title: string, publish_at: number | null) =>
  test.deps.database.db
    .updateTable('tracks')
    .set({ publish_at })
    .where('id', '=', idOf(title))
    .execute();

describeOnSqlite('a track of a playlist', () => {
  it('can be removed and put back where it was', async () => {
    expect((await remove('B')).statusCode).toBe(200);
    expect(await titles()).toBe('ACD');
    expect((await add('B', 'A')).json()).toMatchObject({ added: [idOf('B')] });
    expect(await titles()).toBe('ABCD');
    await remove('A');
    await add('A', null);
    expect(await titles()).toBe('ABCD');
  });

  it('goes to the end when the track before it is gone', async () => {
    await remove('B');
    await remove('A');
    await add('B', 'A');
    expect(await titles()).toBe('CDB');
  });

  it('is added once: adding it again changes nothing', async () => {
    const { version } = await playlists.read(id);
    const again = await add('B');
    expect(again.statusCode).toBe(200);
    expect(again.json()).toEqual({ version, added: [] });
    expect(await titles()).toBe('ABCD');
  });

  it('is removed once: removing it again changes nothing', async () => {
    const { version } = (await remove('B')).json<{ version: number }>();
    const again = await remove('B');
    expect([again.statusCode, again.json()]).toEqual([200, { version }]);
  });

  it('must be visible to the user', async () => {
    const [draft, premium] = await seedTracks(test, ['Draft', 'Premium']);
    tracks.push(...[draft, premium].filter((track) => track !== undefined));
    await setPublishAt('Draft', null);
    await test.deps.database.db
      .updateTable('tracks')
      .set({ is_subscriber_only: 1 })
      .where('id', '=', idOf('Premium'))
      .execute();
    expect((await add('Draft')).statusCode).toBe(404);
    expect((await add('unknown')).statusCode).toBe(404);
    expect((await add('Premium')).statusCode).toBe(403);
    expect(await titles()).toBe('ABCD');
  });

  it('is hidden but not lost while it is unpublished', async () => {
    await setPublishAt('B', null);
    expect(await titles()).toBe('ACD');
    expect(await playlists.read(id)).toMatchObject({ trackCount: 4 });
    await move('D', 'A');
    await setPublishAt('B', tracks[1]?.publish_at ?? 0);
    expect(await titles()).toBe('ADBC');
    await setPublishAt('B', null);
    expect((await remove('B')).statusCode).toBe(200);
    expect(await playlists.read(id)).toMatchObject({ trackCount: 3 });
  });

  it('is one of 1,000 at most, and adding more is rejected', async () => {
    const now = test.clock.now();
    const many = Array.from({ length: MAX_PLAYLIST_TRACKS - 5 }, (_, i) => ({
      ...(tracks[0] as TracksTable),
      id: `many-${i}`,
    }));
    const { db } = test.deps.database;
    for (let at = 0; at < many.length; at += 200)
      await db
        .insertInto('tracks')
        .values(many.slice(at, at + 200))
        .execute();
    await db
      .insertInto('playlist_tracks')
      .values(
        many.map((track, i) => ({
          playlist_id: id,
          track_id: track.id,
          position: -i,
          added_at: now,
        })),
      )
      .execute();
    const [e, f] = await seedTracks(test, ['E', 'F']);
    const both = await playlists.send('POST', `/${id}/tracks`, { trackIds: [e?.id, f?.id] });
    expect([both.statusCode, both.json()]).toMatchObject([409, { code: 'playlist_full' }]);
    const one = await playlists.send('POST', `/${id}/tracks`, { trackIds: [e?.id] });
    expect(one.statusCode).toBe(200);
    const another = await playlists.send('POST', `/${id}/tracks`, { trackIds: [f?.id] });
    expect(another.statusCode).toBe(409);
  });
});

describe('the order of a playlist', () => {
  it('changes when a track is moved after another or to the front', async () => {
    await move('D', 'A');
    expect(await titles()).toBe('ADBC');
    await move('C', null);
    expect(await titles()).toBe('CADB');
    await move('C', 'B');
    expect(await titles()).toBe('ADBC');
    for (const title of ['B', 'C'].flatMap((one) => Array<string>(13).fill(one)))
      expect((await move(title, 'A')).statusCode).toBe(200);
    expect(await titles()).toBe('ACBD');
  });

  it('rejects a move in an outdated order', async () => {
    const { version } = await playlists.read(id);
    await remove('B');
    const order = { version, trackId: idOf('D'), after: idOf('A') };
    const late = await playlists.send('PUT', `/${id}/order`, order);
    expect(late.statusCode).toBe(409);
    expect(late.json()).toMatchObject({
      code: 'playlist_changed',
      message: expect.stringContaining('changed while you were editing') as string,
    });
    expect(await titles()).toBe('ACD');
    expect((await move('D', 'A')).statusCode).toBe(200);
    expect(await titles()).toBe('ADC');
  });

  it('rejects unknown tracks and invalid moves', async () => {
    const [stranger] = await seedTracks(test, ['E']);
    const { version } = await playlists.read(id);
    const send = (order: object) => playlists.send('PUT', `/${id}/order`, order);
    const trackId = idOf('A');
    expect((await send({ version, trackId: stranger?.id, after: null })).statusCode).toBe(404);
    expect((await send({ version, trackId, after: stranger?.id })).statusCode).toBe(404);
    expect((await send({ version, trackId })).statusCode).toBe(400);
    expect((await send({ version: 'x', trackId, after: null })).statusCode).toBe(400);
    expect((await send({ version, order: [trackId] })).statusCode).toBe(400);
    expect(await playlists.read(id)).toMatchObject({ version });
  });

  it('accepts one of several simultaneous moves of the same version', async () => {
    const { version } = await playlists.read(id);
    const answers = await Promise.all(
      ['B', 'C', 'D', 'B', 'C', 'D'].map((title) =>
        playlists.send('PUT', `/${id}/order`, { version, trackId: idOf(title), after: null }),
      ),
    );
    const statuses = answers.map((answer) => answer.statusCode).toSorted((a, b) => a - b);
    expect(statuses).toEqual([200, 409, 409, 409, 409, 409]);
    const { tracks: now, version: next } = await playlists.read(id);
    expect(next).toBe(version + 1);
    expect(now.map((track) => track.title).toSorted()).toEqual(['A', 'B', 'C', 'D']);
  });

  it('has every track once after simultaneous additions, removals and moves', async () => {
    const more = await seedTracks(test, ['E', 'F', 'G', 'H']);
    tracks.push(...more);
    const reorder = async (title: string, after: string | null) => {
      // Like the page: load the playlist again after a conflict, then repeat the move.
      for (;;) {
        const answer = await move(title, after);
        if (answer.statusCode !== 409) return answer;
      }
    };
    const answers = await Promise.all([
      ...['E', 'F', 'G', 'H', 'E', 'F'].map((title) => add(title)),
      remove('B'),
      remove('B'),
      reorder('D', null),
      reorder('C', 'D'),
      add('G', 'A'),
      reorder('A', 'C'),
    ]);
    expect(answers.map((answer) => answer.statusCode)).toEqual(answers.map(() => 200));
    expect((await titles()).split('').toSorted().join('')).toBe('ACDEFGH');
    const added = answers.flatMap((answer) => answer.json<{ added?: string[] }>().added ?? []);
    expect(added.toSorted()).toEqual(more.map((track) => track.id).toSorted());
  });
});
