/** @module-tag both-databases */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { strFromU8, unzipSync } from 'fflate';
import { MINUTE } from '#contract/rules/time.ts';
import type { TracksTable } from '../../db/types/tables.ts';
import { createTestApp, type TestApp } from '../../testing/test-app.ts';
import { playlistClient } from '../../testing/test-playlists.ts';
import { createMusicApp, seed, type TestMusicApp } from '../../testing/test-subsonic.ts';
import { createSubscriber, createUser, type TestUser } from '../../testing/test-user.ts';
import { describeOnSqlite, itOnSqlite } from '../../testing/on-sqlite.ts';

let test: TestApp;
let member: TestUser;
let app: TestMusicApp;
let first: TracksTable;
let second: TracksTable;
let third: TracksTable;
beforeEach(async () => {
  test = await createTestApp();
  member = await createSubscriber(test);
  app = await createMusicApp(test, member);
  const chapters = JSON.stringify([
    { at: 40, title: 'Second', artist: null },
    { at: 0, title: 'Intro', artist: 'Relay Room' },
    { at: 60, title: 'Third', artist: 'A <b>' },
  ]);
  first = await seed(test, { title: 'One', week: 1, duration_ms: 3_600_000, chapters });
  second = await seed(test, { title: 'Two', week: 2 });
  third = await seed(test, { title: 'Three', week: 3 });
});
afterEach(() => test.close());

type List = { playlist: { id: string; name: string; public: boolean; entry: { title: string }[] } };

describe('playlists', () => {
  it('are the same as on the site', async () => {
    const { playlist } = await app.call<List>('createPlaylist', {
      name: ' Braai  day ',
      songId: [first.id, second.id, first.id],
    });
    const site = playlistClient(member.client);
    expect(playlist).toMatchObject({ name: 'Braai day', public: false });
    expect(await site.titles(playlist.id)).toEqual(['One', 'Two']);
    await app.call('updatePlaylist', {
      playlistId: playlist.id,
      name: 'Renamed',
      comment: 'For Sunday',
      songIdToAdd: third.id,
      songIndexToRemove: 0,
    });
    expect(await site.read(playlist.id)).toMatchObject({
      name: 'Renamed',
      description: 'For Sunday',
      tracks: [{ title: 'Two' }, { title: 'Three' }],
    });
    await app.call('createPlaylist', { playlistId: playlist.id, songId: [third.id, first.id] });
    const { playlist: read } = await app.call<List>('getPlaylist', { id: playlist.id });
    expect(read.entry.map(({ title }) => title)).toEqual(['Three', 'One']);
    await app.call('updatePlaylist', { playlistId: playlist.id, public: true });
    expect((await site.read(playlist.id)).shareToken).not.toBeNull();
    const { playlists } = await app.call<{ playlists: { playlist: object[] } }>('getPlaylists');
    expect(playlists.playlist).toMatchObject([
      { name: 'Renamed', songCount: 2, duration: 3695, public: true, owner: 'sipho' },
    ]);
    await app.call('deletePlaylist', { id: playlist.id });
    expect((await app.fail('getPlaylist', { id: playlist.id })).code).toBe(70);
  });

  it('change as a whole or not at all', async () => {
    const { playlist } = await app.call<List>('createPlaylist', { name: 'Mine', songId: first.id });
    const change = { playlistId: playlist.id, name: 'Other', songIdToAdd: second.id };
    expect((await app.fail('updatePlaylist', { ...change, songIndexToRemove: [0, 7] })).code).toBe(
      70,
    );
    expect((await app.fail('updatePlaylist', { ...change, songIdToAdd: 'unknown' })).code).toBe(70);
    const { playlist: same } = await app.call<List>('getPlaylist', { id: playlist.id });
    expect(same).toMatchObject({ name: 'Mine', entry: [{ title: 'One' }] });
    expect((await app.fail('createPlaylist', { name: '  ' })).code).toBe(10);
    expect((await app.fail('createPlaylist', { name: 'x'.repeat(81) })).code).toBe(10);
  });

  it('have each mix once, and say so to an app that adds it again', async () => {
    const songId = [first.id, second.id];
    const { playlist } = await app.call<List>('createPlaylist', { name: 'Mine', songId });
    const titles = () => playlistClient(member.client).titles(playlist.id);
    const add = { playlistId: playlist.id, name: 'Other', songIdToAdd: first.id };
    expect(await app.fail('updatePlaylist', add)).toEqual({
      code: 0,
      message: 'This mix is already in the playlist.',
    });
    expect(await app.fail('updatePlaylist', { ...add, songIdToAdd: songId })).toEqual({
      code: 0,
      message: 'These mixes are already in the playlist.',
    });
    const { playlist: same } = await app.call<List>('getPlaylist', { id: playlist.id });
    expect([same.name, await titles()]).toEqual(['Mine', ['One', 'Two']]);
    // What is new is added, and a mix that is removed in the same call moves to the end.
    await app.call('updatePlaylist', { ...add, songIdToAdd: [second.id, third.id] });
    expect(await titles()).toEqual(['One', 'Two', 'Three']);
    await app.call('updatePlaylist', { ...add, songIndexToRemove: 0 });
    expect(await titles()).toEqual(['Two', 'Three', 'One']);
  });

  it('of other users are hidden', async () => {
    const { playlist } = await app.call<List>('createPlaylist', { name: 'Mine', songId: first.id });
    const other = await createMusicApp(test, await createUser(test));
    for (const [call, query] of [
      ['getPlaylist', { id: playlist.id }],
      ['deletePlaylist', { id: playlist.id }],
      ['updatePlaylist', { playlistId: playlist.id, name: 'Theirs' }],
      ['createPlaylist', { playlistId: playlist.id, songId: second.id }],
    ] as const)
      expect((await other.fail(call, query)).code).toBe(70);
    expect((await other.fail('getPlaylists', { username: 'sipho' })).code).toBe(50);
  });
});

describe('a bookmark', () => {
  type Bookmarks = { bookmarks: { bookmark: { position: number; comment: string }[] } };

  it('is where the site continues, and moves when the user listens there', async () => {
    await app.call('createBookmark', { id: first.id, position: 600_000, comment: 'The drop' });
    const track = await member.client.request({ url: `/api/tracks/${first.id}` });
    expect(track.json()).toMatchObject({ progress: { position: 600, listened: 0 } });
    const { song } = await app.call<{ song: object }>('getSong', { id: first.id });
    expect(song).toMatchObject({ bookmarkPosition: 600_000 });
    test.clock.advance(MINUTE);
    const play = await member.client.request({
      method: 'POST',
      url: `/api/tracks/${first.id}/play`,
    });
    test.clock.advance(30_000);
    await member.client.request({
      method: 'POST',
      url: `/api/plays/${play.json<{ playId: string }>().playId}/heartbeat`,
      payload: { secondsListened: 30, position: 630 },
    });
    const { bookmarks } = await app.call<Bookmarks>('getBookmarks');
    expect(bookmarks.bookmark).toMatchObject([{ position: 630_000, comment: 'The drop' }]);
    await app.call('deleteBookmark', { id: first.id });
    expect(await app.call('getBookmarks')).toMatchObject({ bookmarks: { bookmark: [] } });
  });

  itOnSqlite('in a preview doesn’t move anything on the site', async () => {
    const free = await createUser(test);
    const device = await createMusicApp(test, free);
    await device.call('createBookmark', { id: first.id, position: 5000 });
    const track = await free.client.request({ url: `/api/tracks/${first.id}` });
    expect(track.json()).toMatchObject({ progress: null });
    expect((await device.fail('createBookmark', { id: first.id })).code).toBe(10);
  });
});

describeOnSqlite('the play queue', () => {
  it('goes from one app to another, by id or by index', async () => {
    const car = await createMusicApp(test, member, 'Car');
    const id = [first.id, second.id, first.id];
    await app.call('savePlayQueue', { id, current: second.id, position: 1234, c: 'Phone' });
    expect(await car.call('getPlayQueue')).toMatchObject({
      playQueue: { current: second.id, position: 1234, changedBy: 'Phone', username: 'sipho' },
    });
    await car.call('savePlayQueueByIndex', { id, currentIndex: 2 });
    expect(await app.call('getPlayQueueByIndex')).toMatchObject({
      playQueueByIndex: { currentIndex: 2, entry: [{ title: 'One' }, {}, { title: 'One' }] },
    });
    await app.call('savePlayQueue');
    expect(await app.call('getPlayQueue')).toMatchObject({ playQueue: { entry: [] } });
  });

  it('refuses a current mix that isn’t in it', async () => {
    const id = [first.id, second.id];
    expect((await app.fail('savePlayQueue', { id, current: third.id })).code).toBe(10);
    expect((await app.fail('savePlayQueue', { id })).code).toBe(10);
    for (const currentIndex of [2, -1, 99_999])
      expect((await app.fail('savePlayQueueByIndex', { id, currentIndex })).code).toBe(10);
  });

  it('leaves out what the user may no longer see', async () => {
    await app.call('savePlayQueue', { id: [first.id, second.id], current: second.id });
    const { db } = test.deps.database;
    await db.updateTable('tracks').set({ publish_at: null }).where('id', '=', first.id).execute();
    const { playQueue } = await app.call<{ playQueue: { current: string; entry: object[] } }>(
      'getPlayQueue',
    );
    expect([playQueue.current, playQueue.entry.length]).toEqual([second.id, 1]);
  });
});

describeOnSqlite('the tracklist', () => {
  type Lyrics = { lyricsList: { structuredLyrics: { synced: boolean; line: object[] }[] } };
  const read = async (of: TestMusicApp, id = first.id) =>
    (await of.call<Lyrics>('getLyricsBySongId', { id })).lyricsList.structuredLyrics;

  it('is shown as timed lyrics', async () => {
    expect(await read(app)).toMatchObject([
      {
        lang: 'und',
        synced: true,
        displayTitle: 'One',
        line: [
          { start: 0, value: 'Relay Room – Intro' },
          { start: 40_000, value: 'Second' },
          { start: 60_000, value: 'A <b> – Third' },
        ],
      },
    ]);
    const { lyrics } = await app.call<{ lyrics: { value: string } }>('getLyrics', { title: 'one' });
    expect(lyrics.value).toContain('Relay Room – Intro');
  });

  it('fits the preview', async () => {
    const device = await createMusicApp(test, await createUser(test));
    // The preview has the seconds from 30 to 50.
    expect((await read(device))[0]?.line).toEqual([
      { start: 0, value: 'Relay Room – Intro' },
      { start: 10_000, value: 'Second' },
    ]);
  });

  it('without times is plain text', async () => {
    const chapters = JSON.stringify([
      { at: null, title: 'Untimed', artist: null },
      { at: 5, title: 'Timed', artist: null },
    ]);
    const { id } = await seed(test, { chapters, week: 9 });
    expect(await read(app, id)).toMatchObject([
      { synced: true, line: [{ start: 5000, value: 'Timed' }] },
      { synced: false, line: [{ value: 'Untimed' }, { value: 'Timed' }] },
    ]);
    expect(await read(app, (await seed(test, { chapters: '[]', week: 10 })).id)).toEqual([]);
  });
});

it('exports what apps keep with the rest of a user’s data', async () => {
  await app.call('createBookmark', { id: first.id, position: 1000, comment: 'The drop' });
  await app.call('savePlayQueue', { id: first.id, current: first.id });
  const archive = await member.client.request({ url: '/api/me/export' });
  const files = unzipSync(archive.rawPayload);
  const readJson = (name: string) => JSON.parse(strFromU8(files[`${name}.json`]!)) as object[];
  expect(readJson('app-passwords')).toMatchObject([{ name: 'Phone', lastClient: 'test' }]);
  expect(readJson('bookmarks')).toMatchObject([{ trackId: first.id, comment: 'The drop' }]);
  expect(readJson('play-queue')).toMatchObject([{ trackIds: [first.id] }]);
});
