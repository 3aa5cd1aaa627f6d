/** @module-tag both-databases */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../../testing/test-app.ts';
import { createSubscriber, createUser } from '../../testing/test-user.ts';
import { subsonicCalls } from '../../testing/subsonic-schemas.ts';
import {
  createMusicApp,
  seed,
  type Query,
  type TestMusicApp,
} from '../../testing/test-subsonic.ts';
import type { TracksTable } from '../../db/types/tables.ts';
import { formatAnswer } from './answer.ts';

let test: TestApp;
let app: TestMusicApp;
let track: TracksTable;
let second: TracksTable;
let empty: TestMusicApp;

beforeAll(async () => {
  test = await createTestApp();
  const free = await createUser(test);
  empty = await createMusicApp(test, free);
  app = await createMusicApp(test, await createSubscriber(test));
});
afterAll(() => test.close());

describe('every call', () => {
  it('answers as the protocol describes it on a site without mixes, too', async () => {
    for (const [call, query] of [
      ['getIndexes', {}],
      ['getArtists', {}],
      ['getGenres', {}],
      ['getAlbumList', { type: 'newest' }],
      ['getAlbumList2', { type: 'starred' }],
      ['getRandomSongs', {}],
      ['getStarred', {}],
      ['getStarred2', {}],
      ['getNowPlaying', {}],
      ['search2', { query: 'nothing' }],
      ['search3', { query: '' }],
      ['getPlaylists', {}],
      ['getBookmarks', {}],
      ['getPlayQueue', {}],
      ['getPlayQueueByIndex', {}],
      ['getPodcasts', {}],
      ['getNewestPodcasts', {}],
    ] as [string, Query][])
      await empty.call(call, query);
    const { starred2 } = await empty.call<{ starred2: object }>('getStarred2');
    // Lists are lists, also empty ones: apps loop over them.
    expect(starred2).toEqual({ artist: [], album: [], song: [] });
  });

  it('answers as the protocol describes it', async () => {
    track = await seed(test, { title: 'Golden Hour Pressure' });
    second = await seed(test, {
      title: 'Night Bus',
      week: 45,
      genre: null,
      bpm: null,
      chapters: '[]',
    });
    const { id } = track;
    const ids = [id, second.id];
    await app.call('scrobble', { id, submission: false });
    await app.call('star', { id });
    const { playlist } = await app.call<{ playlist: { id: string } }>('createPlaylist', {
      name: 'Braai',
      songId: ids,
    });
    await app.call('createBookmark', { id, position: 60_000, comment: 'The drop' });
    await app.call('savePlayQueue', { id: ids, current: id, position: 1000 });
    const queries: Record<string, Query> = {
      getArtist: { id: 'artist-site' },
      getArtistInfo: { id },
      getArtistInfo2: { id: 'artist-site' },
      getAlbum: { id: 'week-2026-46' },
      getAlbumInfo: { id: 'week-2026-46' },
      getAlbumInfo2: { id },
      getMusicDirectory: { id: 'artist-site' },
      getAlbumList: { type: 'newest' },
      getAlbumList2: { type: 'newest' },
      getSongsByGenre: { genre: 'Amapiano' },
      getTopSongs: { artist: 'Weekender' },
      search2: { query: 'golden' },
      search3: { query: 'golden' },
      reportPlayback: { mediaId: id, mediaType: 'song', positionMs: 1000, state: 'playing' },
      getLyrics: { title: 'Golden Hour Pressure' },
      createPlaylist: { name: 'Another', songId: id },
      getPlaylist: { id: playlist.id },
      updatePlaylist: { playlistId: playlist.id, name: 'Braai again' },
      deletePlaylist: { id: playlist.id },
      createBookmark: { id, position: 1 },
      savePlayQueue: { id: ids, current: id },
      savePlayQueueByIndex: { id: ids, currentIndex: 1 },
    };
    const withId = ['getSong', 'getSimilarSongs', 'getSimilarSongs2', 'getLyricsBySongId'];
    const more = ['star', 'unstar', 'scrobble', 'deleteBookmark', 'getPodcastEpisode'];
    for (const call of [...withId, ...more, 'downloadPodcastEpisode']) queries[call] = { id };
    for (const call of subsonicCalls)
      expect(await app.call(call, queries[call] ?? {})).toMatchObject({ status: 'ok' });
  });

  it('names a song, its week and its artist', async () => {
    const { song } = await app.call<{ song: Record<string, unknown> }>('getSong', { id: track.id });
    expect(song).toMatchObject({
      id: track.id,
      title: 'Golden Hour Pressure',
      album: 'Week 46, 2026',
      albumId: 'week-2026-46',
      artist: 'Weekender',
      artistId: 'artist-site',
      isDir: false,
      duration: 95,
      size: 4096,
      suffix: 'mp3',
      contentType: 'audio/mpeg',
      year: 2026,
      track: 46,
      genre: 'Amapiano',
      bpm: 113,
    });
  });

  it('answers in XML unless JSON is asked for, with and without .view, by GET and by form', async () => {
    const client = test.createClient();
    const form = new URLSearchParams(app.auth).toString();
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    const answers = await Promise.all([
      client.request({ url: `/rest/ping?${form}` }),
      client.request({ url: `/rest/ping.view?${form}` }),
      client.request({ method: 'POST', url: '/rest/ping', payload: form, headers: type }),
      client.request({ method: 'POST', url: `/rest/ping.view?${form}` }),
    ]);
    for (const { statusCode, headers, body } of answers) {
      expect([statusCode, headers['content-type']]).toEqual([200, 'text/xml; charset=utf-8']);
      expect(body).toMatch(
        /^<\?xml version="1.0" encoding="UTF-8"\?>\n<subsonic-response xmlns="http:\/\/subsonic.org\/restapi" status="ok" version="1.16.1" type="weekender" serverVersion="[^"]+" openSubsonic="true"\/>$/,
      );
    }
    const jsonp = await app.request('ping', { f: 'jsonp', callback: 'alert' });
    expect(jsonp.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(jsonp.body).toMatch(/^\{"subsonic-response"/);
  });

  it('tells apps without a password which extensions there are', async () => {
    const response = await test.createClient().request({
      url: '/rest/getOpenSubsonicExtensions?f=json',
    });
    // Not `transcodeOffset`: a stream always begins at the beginning of the file.
    const names = ['apiKeyAuthentication', 'formPost', 'getPodcastEpisode', 'indexBasedQueue'];
    expect(response.json()).toMatchObject({
      'subsonic-response': {
        openSubsonicExtensions: [
          ...names,
          'playbackReport',
          'songLyrics',
          'topSongsByArtistId',
        ].map((name) => ({ name, versions: [1] })),
      },
    });
  });
});

/** The elements of each element, in their order, in the schema of the original protocol (1.16.1). */
const ORIGINAL: Record<string, readonly string[]> = {
  musicFolders: ['musicFolder'],
  indexes: ['shortcut', 'index', 'child'],
  artists: ['index'],
  index: ['artist'],
  directory: ['child'],
  artist: ['album'],
  album: ['song'],
  albumList: ['album'],
  albumList2: ['album'],
  genres: ['genre'],
  randomSongs: ['song'],
  songsByGenre: ['song'],
  similarSongs: ['song'],
  similarSongs2: ['song'],
  topSongs: ['song'],
  starred: ['artist', 'album', 'song'],
  starred2: ['artist', 'album', 'song'],
  searchResult2: ['artist', 'album', 'song'],
  searchResult3: ['artist', 'album', 'song'],
  nowPlaying: ['entry'],
  playlists: ['playlist'],
  playlist: ['allowedUser', 'entry'],
  bookmarks: ['bookmark'],
  bookmark: ['entry'],
  playQueue: ['entry'],
  podcasts: ['channel'],
  channel: ['episode'],
  newestPodcasts: ['episode'],
  users: ['user'],
  user: ['folder'],
  artistInfo: ['biography', 'similarArtist'],
  artistInfo2: ['biography', 'similarArtist'],
  albumInfo: ['notes'],
};
const ADDED = ['artists', 'albumArtists', 'genres', 'releaseDate', 'roles'];

type Element = { name: string; children: Element[] };

/** No text of ours contains a bare “<” or “>”. */
function parseElements(xml: string): Element {
  const root: Element = { name: '', children: [] };
  const open = [root];
  for (const [, end, name = '', , isEmpty] of xml.matchAll(/<(\/?)([\w-]+)([^<>]*?)(\/?)>/g)) {
    if (end) {
      expect(open.pop()?.name).toBe(name);
      continue;
    }
    const element = { name, children: [] };
    open.at(-1)?.children.push(element);
    if (!isEmpty) open.push(element);
  }
  expect(open).toEqual([root]);
  return root.children[0] ?? root;
}

const listElements = (element: Element): Element[] => [
  element,
  ...element.children.flatMap(listElements),
];

describe('XML', () => {
  /** Every call of the original protocol that reads, as the music app of a subscriber sends it. */
  async function readAll(version: string): Promise<Element[]> {
    const { id } = track;
    const { playlist } = await app.call<{ playlist: { id: string } }>('createPlaylist', {
      name: 'Braai',
      songId: [id, second.id],
    });
    await app.call('star', { id });
    await app.call('createBookmark', { id, position: 60_000 });
    await app.call('savePlayQueue', { id, current: id });
    await app.call('scrobble', { id, submission: false });
    const bare = ['getMusicFolders', 'getIndexes', 'getArtists', 'getGenres', 'getRandomSongs'];
    const more = ['getStarred', 'getStarred2', 'getNowPlaying', 'getPlaylists', 'getBookmarks'];
    const rest = ['getPlayQueue', 'getPodcasts', 'getNewestPodcasts', 'getUser', 'getUsers'];
    const calls: [string, Query][] = [
      ...[...bare, ...more, ...rest].map((call): [string, Query] => [call, {}]),
      ['getArtist', { id: 'artist-site' }],
      ['getAlbum', { id: 'week-2026-46' }],
      ['getAlbum', { id: 'year-2026' }],
      ['getSong', { id }],
      ['getArtistInfo', { id }],
      ['getArtistInfo2', { id: 'artist-site' }],
      ['getAlbumInfo', { id: 'week-2026-46' }],
      ['getAlbumInfo2', { id }],
      ...['1', 'artist-site', 'year-2026-artist-site', 'week-2026-46'].map(
        (folder): [string, Query] => ['getMusicDirectory', { id: folder }],
      ),
      ['getAlbumList', { type: 'newest' }],
      ['getAlbumList2', { type: 'alphabeticalByName' }],
      ['getSongsByGenre', { genre: 'Amapiano' }],
      ['getSimilarSongs', { id }],
      ['getSimilarSongs2', { id }],
      ['getTopSongs', { artist: 'Weekender' }],
      ['search2', { query: 'golden' }],
      ['search3', { query: 'golden' }],
      ['getPlaylist', { id: playlist.id }],
      ['getLyrics', { title: 'Golden Hour Pressure' }],
    ];
    const answers: Element[] = [];
    for (const [call, query] of calls) {
      const { body } = await app.request(call, { ...query, v: version, f: 'xml' });
      expect(body).toContain('status="ok"');
      answers.push(parseElements(body));
    }
    return answers;
  }

  it.each(['1.8.0', '1.15.0'])(
    'has only elements of the original protocol for an app of version %s',
    async (version) => {
      for (const root of await readAll(version))
        for (const { name, children } of root.children.flatMap(listElements)) {
          const names = [...new Set(children.map((child) => child.name))];
          const allowed = ORIGINAL[name] ?? [];
          expect([name, names]).toEqual([name, allowed.filter((one) => names.includes(one))]);
        }
    },
  );

  it('has the additions of OpenSubsonic after all others for an app that knows them', async () => {
    const seen = new Set<string>();
    for (const root of await readAll('1.16.1'))
      for (const { name, children } of root.children.flatMap(listElements)) {
        if (ADDED.includes(name) && name !== 'artists' && name !== 'genres') continue;
        const names = [...new Set(children.map((child) => child.name))];
        const known = names.filter((one) => ORIGINAL[name]?.includes(one));
        const added = names.filter((one) => !known.includes(one));
        expect([name, names]).toEqual([name, [...known, ...added]]);
        for (const one of added) {
          expect(ADDED).toContain(one);
          seen.add(`${name} ${one}`);
        }
      }
    expect(seen).toContain('album releaseDate');
    expect(seen).toContain('song artists');
    expect(seen).toContain('artist roles');
  });

  it('gives Clementine, which takes every element of an album for a song, its songs', async () => {
    const { body } = await app.request('getAlbum', { id: 'week-2026-46', v: '1.8.0', f: 'xml' });
    const [album] = parseElements(body).children;
    expect(album).toEqual({ name: 'album', children: [{ name: 'song', children: [] }] });
    // It collects the songs of all albums, so a year beside its weeks would show each mix twice.
    const query = { type: 'alphabeticalByName', size: 500, f: 'xml' };
    const listIds = async (v: string) =>
      [...(await app.request('getAlbumList2', { ...query, v })).body.matchAll(/<album id="(\w+)-/g)]
        .map(([, kind = '']) => kind)
        .toSorted();
    expect(await listIds('1.8.0')).toEqual(['week', 'week']);
    expect(await listIds('1.16.1')).toEqual(['week', 'week', 'year']);
  });

  it('has values as attributes, lists as elements and texts as content', () => {
    expect(formatAnswer('xml', { genres: { genre: [{ songCount: 1, value: 'R&B' }] } })).toBe(
      '<?xml version="1.0" encoding="UTF-8"?>\n<subsonic-response xmlns="http://subsonic.org/restapi"><genres><genre songCount="1">R&amp;B</genre></genres></subsonic-response>',
    );
    expect(formatAnswer('xml', { e: [{ name: 'x', versions: [1, 2] }] })).toContain(
      '<e name="x"><versions>1</versions><versions>2</versions></e>',
    );
  });

  it('stays well-formed, whatever a title contains', async () => {
    const title = `<b>"Tom & 'Jerry'"</b> ]]> \ud83d\ude00`;
    const hostile = await seed(test, { title, week: 30 });
    const { body } = await app.request('getSong', { id: hostile.id, f: 'xml' });
    expect(body).toContain(
      'title="&lt;b&gt;&quot;Tom &amp; &#39;Jerry&#39;&quot;&lt;/b&gt; ]]&gt; \ud83d\ude00"',
    );
    expect(formatAnswer('xml', { a: { t: 'a\u0000\u0008\ufffeb\ud800\nc\td' } })).toContain(
      '<a t="ab\ufffd&#10;c&#9;d"/>',
    );
  });
});
