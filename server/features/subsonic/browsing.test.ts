/** @module-tag both-databases */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../db/ids.ts';
import { createTestApp, type TestApp } from '../../testing/test-app.ts';
import {
  createMusicApp,
  seed,
  type Query,
  type TestMusicApp,
} from '../../testing/test-subsonic.ts';
import { createSubscriber } from '../../testing/test-user.ts';
import type { TracksTable } from '../../db/types/tables.ts';

let test: TestApp;
let app: TestMusicApp;
const tracks: TracksTable[] = [];

/** Twelve weeks; the third has two mixes, and one of those names a guest. */
beforeAll(async () => {
  test = await createTestApp();
  app = await createMusicApp(test, await createSubscriber(test));
  for (let n = 1; n <= 12; n += 1)
    tracks.push(
      await seed(test, {
        title: `Mix ${n}`,
        year: n <= 6 ? 2025 : 2026,
        week: n,
        genre: n % 2 ? 'Amapiano' : 'Gqom',
        play_count: n === 5 ? 100 : n,
      }),
    );
  test.clock.advance(1000);
  const guest = await seed(test, { title: 'Guest Mix', year: 2025, week: 3, genre: 'House' });
  tracks.push(guest);
  const { db } = test.deps.database;
  const now = test.clock.now();
  const artist = { id: newId(now), name: 'Zola & Friends', name_key: 'zola & friends' };
  await db
    .insertInto('artists')
    .values({
      ...artist,
      about: 'From Soweto.',
      links: '[]',
      picture_key: null,
      version: 0,
      created_at: now,
      updated_at: now,
    })
    .execute();
  await db
    .insertInto('track_artists')
    .values({ track_id: guest.id, position: 0, artist_id: artist.id })
    .execute();
});
afterAll(() => test.close());

type Named = { id: string; name: string };
const albums = async (query: Query): Promise<string[]> => {
  const { albumList2 } = await app.call<{ albumList2: { album: Named[] } }>('getAlbumList2', query);
  return albumList2.album.map(({ name }) => name);
};

describe('albums', () => {
  it('are weeks, the newest first, in pages', async () => {
    expect(await albums({ type: 'newest', size: 3 })).toEqual([
      'Week 12, 2026',
      'Week 11, 2026',
      'Week 10, 2026',
    ]);
    expect(await albums({ type: 'newest', size: 500, offset: 10 })).toEqual([
      'Week 2, 2025',
      'Week 1, 2025',
    ]);
    expect(await albums({ type: 'newest', offset: 1_000_000_000 })).toEqual([]);
  });

  it('come in the orders of the protocol', async () => {
    expect((await albums({ type: 'frequent', size: 2 }))[0]).toBe('Week 5, 2025');
    expect(await albums({ type: 'alphabeticalByName', size: 3, offset: 2 })).toEqual([
      'Week 1, 2025',
      'Week 10, 2026',
      'Week 11, 2026',
    ]);
    expect(
      await albums({ type: 'byYear', fromYear: 2025, toYear: 2025, size: 2, offset: 1 }),
    ).toEqual(['Week 1, 2025', 'Week 2, 2025']);
    expect((await albums({ type: 'byYear', fromYear: 2030, toYear: 2000, size: 1 }))[0]).toBe(
      'Week 12, 2026',
    );
    expect(await albums({ type: 'byGenre', genre: 'House' })).toEqual(['Week 3, 2025']);
    expect((await albums({ type: 'random', size: 500 })).toSorted()).toEqual(
      (await albums({ type: 'newest', size: 500 })).toSorted(),
    );
    expect((await app.fail('getAlbumList2', { type: 'nonsense' })).code).toBe(10);
    expect((await app.fail('getAlbumList2', { type: 'byYear' })).code).toBe(10);
    expect((await app.fail('getAlbumList2')).code).toBe(10);
  });

  it('are years too where an app lists the whole library by name or by year', async () => {
    const inPages = async (query: Query) => {
      const names: string[] = [];
      for (let offset = 0; ; offset += 3) {
        const page = await albums({ ...query, size: 3, offset });
        if (page.length === 0) return names;
        names.push(...page);
      }
    };
    const weeks = await albums({ type: 'newest', size: 500 });
    for (const type of ['alphabeticalByName', 'alphabeticalByArtist']) {
      const names = await inPages({ type });
      expect(names.slice(0, 3)).toEqual(['2025', '2026', 'Week 1, 2025']);
      expect(names.slice(2).toSorted()).toEqual(weeks.toSorted());
    }
    const range = { fromYear: 2025, toYear: 2026 };
    const byYear = await inPages({ type: 'byYear', ...range });
    expect(byYear.filter((name) => name.startsWith('Week'))).toEqual(weeks.toReversed());
    expect([byYear.indexOf('2025'), byYear.indexOf('2026')]).toEqual([0, 7]);
    const backwards = { fromYear: 2026, toYear: 2025 };
    expect(await inPages({ type: 'byYear', ...backwards })).toEqual(byYear.toReversed());
    expect(await albums({ type: 'byYear', fromYear: 2025, toYear: 2025, size: 500 })).toHaveLength(
      7,
    );
    for (const query of [
      { type: 'newest' },
      { type: 'frequent' },
      { type: 'random' },
      { type: 'byGenre', genre: 'Gqom' },
    ])
      for (const name of await albums({ ...query, size: 500 })) expect(name).toMatch(/^Week/);
  });

  it('that are years open as they are listed, as albums and as folders', async () => {
    type Listed = { id: string; coverArt: string; songCount?: number };
    type Lists = Record<'albumList' | 'albumList2', { album: Listed[] }>;
    const query = { type: 'alphabeticalByName', size: 1 };
    const [year] = (await app.call<Lists>('getAlbumList2', query)).albumList2.album;
    expect(year).toMatchObject({ id: 'year-2025', name: '2025', year: 2025, songCount: 7 });
    const { album } = await app.call<{ album: { song: { title: string }[] } }>('getAlbum', {
      id: year!.id,
    });
    expect(album).toMatchObject(year!);
    const titles = ['Mix 1', 'Mix 2', 'Mix 3', 'Guest Mix', 'Mix 4', 'Mix 5', 'Mix 6'];
    expect(album.song.map(({ title }) => title)).toEqual(titles);
    expect((await app.request('getCoverArt', { id: year!.coverArt })).statusCode).toBe(200);
    const [folder] = (await app.call<Lists>('getAlbumList', query)).albumList.album;
    expect(folder).toMatchObject({ id: 'year-2025', title: '2025', isDir: true });
    type Folder = { directory: { child: { title: string }[] } };
    const { directory } = await app.call<Folder>('getMusicDirectory', { id: folder!.id });
    expect(directory.child.map(({ title }) => title)).toEqual(titles);
  });

  it('of a user are those they played and starred', async () => {
    const [first, second] = tracks;
    await app.call('scrobble', { id: first!.id, submission: false });
    test.clock.advance(1000);
    await app.call('scrobble', { id: second!.id, submission: false });
    expect(await albums({ type: 'recent' })).toEqual(['Week 2, 2025', 'Week 1, 2025']);
    await app.call('star', { albumId: 'week-2025-03' });
    test.clock.advance(1000);
    await app.call('star', { id: second!.id });
    expect(await albums({ type: 'starred' })).toEqual(['Week 2, 2025', 'Week 3, 2025']);
    const { starred2 } = await app.call<{ starred2: { song: { title: string }[] } }>('getStarred2');
    expect(starred2.song.map(({ title }) => title).toSorted()).toEqual([
      'Guest Mix',
      'Mix 2',
      'Mix 3',
    ]);
    await app.call('unstar', { albumId: 'week-2025-03', id: second!.id });
    expect(await albums({ type: 'starred' })).toEqual([]);
    expect((await app.fail('star', { artistId: 'artist-site' })).code).toBe(50);
    expect((await app.fail('star', { id: 'unknown' })).code).toBe(70);
  });

  it('have the mixes of their week; a year has all of its mixes in order', async () => {
    type Album = { album: { name: string; songCount: number; song: { title: string }[] } };
    const week = await app.call<Album>('getAlbum', { id: 'week-2025-03' });
    expect(week.album).toMatchObject({ name: 'Week 3, 2025', songCount: 2 });
    expect(week.album.song.map(({ title }) => title)).toEqual(['Mix 3', 'Guest Mix']);
    const year = await app.call<Album>('getAlbum', { id: 'year-2026' });
    expect(year.album.song.map(({ title }) => title)).toEqual(
      [7, 8, 9, 10, 11, 12].map((n) => `Mix ${n}`),
    );
    for (const id of ['week-2025-40', 'week-2025-00', 'week-9999-99', 'year-1999', 'nothing'])
      expect((await app.fail('getAlbum', { id })).code).toBe(70);
  });
});

describe('artists', () => {
  it('are the site, and those that mixes name', async () => {
    type Artists = { artists: { index: { name: string; artist: Named[] }[] } };
    const { artists } = await app.call<Artists>('getArtists');
    expect(artists.index.map(({ name }) => name)).toEqual(['W', 'Z']);
    const [site, guest] = artists.index.flatMap(({ artist }) => artist);
    expect(site).toMatchObject({ id: 'artist-site', name: 'Weekender', albumCount: 12 });
    expect(guest).toMatchObject({ name: 'Zola & Friends', albumCount: 1 });
    const { artist } = await app.call<{ artist: { album: Named[] } }>('getArtist', {
      id: guest!.id,
    });
    expect(artist.album.map(({ name }) => name)).toEqual(['Week 3, 2025']);
    const { artistInfo2 } = await app.call<{ artistInfo2: object }>('getArtistInfo2', {
      id: guest!.id,
    });
    expect(artistInfo2).toMatchObject({ biography: 'From Soweto.' });
    const { song } = await app.call<{ song: object }>('getSong', { id: tracks.at(-1)!.id });
    expect(song).toMatchObject({ artist: 'Zola & Friends', artistId: guest!.id });
  });

  it('have folders: years, and in these their mixes', async () => {
    type Folder = { directory: { child: { id: string; title: string; isDir: boolean }[] } };
    const root = await app.call<Folder>('getMusicDirectory', { id: 'artist-site' });
    expect(root.directory.child).toMatchObject([
      { title: '2026', isDir: true },
      { title: '2025', isDir: true },
    ]);
    const year = await app.call<Folder>('getMusicDirectory', { id: root.directory.child[1]!.id });
    expect(year.directory.child.map(({ title }) => title)).toEqual(
      [1, 2, 3, 4, 5, 6].map((n) => `Mix ${n}`),
    );
    const folders = await app.call<Folder>('getMusicDirectory', { id: '1' });
    expect(folders.directory.child).toHaveLength(2);
    expect((await app.fail('getMusicDirectory', { id: 'artist-nobody' })).code).toBe(70);
  });
});

describe('a search', () => {
  type Result = { searchResult3: { artist: Named[]; album: Named[]; song: { title: string }[] } };
  const search = async (query: Query) => (await app.call<Result>('search3', query)).searchResult3;

  it('without words finds everything, page by page', async () => {
    for (const query of ['', '""']) {
      const all = await search({ query, artistCount: 500, albumCount: 500, songCount: 500 });
      expect([all.artist.length, all.album.length, all.song.length]).toEqual([2, 12, 13]);
    }
    const titles: string[] = [];
    for (let offset = 0; ; offset += 5) {
      const paging = { query: '', songCount: 5, songOffset: offset, albumCount: 0, artistCount: 0 };
      const { song, album, artist } = await search(paging);
      expect([album, artist]).toEqual([[], []]);
      if (song.length === 0) break;
      titles.push(...song.map(({ title }) => title));
    }
    expect(titles.toSorted()).toEqual(tracks.map(({ title }) => title).toSorted());
  });

  it('finds mixes, their weeks and artists', async () => {
    const found = await search({ query: 'guest*' });
    expect(found.song.map(({ title }) => title)).toEqual(['Guest Mix']);
    expect(found.album.map(({ name }) => name)).toEqual(['Week 3, 2025']);
    expect((await search({ query: 'zola' })).artist.map(({ name }) => name)).toEqual([
      'Zola & Friends',
    ]);
    expect(await search({ query: 'guest', songOffset: 999_999_999 })).toMatchObject({ song: [] });
  });
});

it('counts genres, and lists songs of one', async () => {
  const { genres } = await app.call<{ genres: { genre: object[] } }>('getGenres');
  expect(genres.genre).toEqual([
    { value: 'Amapiano', songCount: 6, albumCount: 6 },
    { value: 'Gqom', songCount: 6, albumCount: 6 },
    { value: 'House', songCount: 1, albumCount: 1 },
  ]);
  type Songs = { song: { title: string }[] };
  const { songsByGenre } = await app.call<{ songsByGenre: Songs }>('getSongsByGenre', {
    genre: 'Gqom',
    count: 2,
    offset: 1,
  });
  expect(songsByGenre.song.map(({ title }) => title)).toEqual(['Mix 10', 'Mix 8']);
  const { topSongs } = await app.call<{ topSongs: Songs }>('getTopSongs', {
    artist: 'weekender',
    count: 1,
  });
  expect(topSongs.song.map(({ title }) => title)).toEqual(['Mix 5']);
});
