import { hash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TracksTable } from '../../db/types/tables.ts';
import { createTestApp, type TestApp } from '../../testing/test-app.ts';
import { createAppPassword, seed, toSearch, type Query } from '../../testing/test-subsonic.ts';
import { createSubscriber } from '../../testing/test-user.ts';

/** Requests as apps send them, and what they need of the answer, each with where that is written. */

let test: TestApp;
let password: string;
let tracks: TracksTable[];

beforeAll(async () => {
  test = await createTestApp();
  tracks = [];
  for (const [week, title] of [
    [44, 'Braai'],
    [45, 'Night Bus'],
    [46, 'Golden Hour Pressure'],
  ] as const)
    tracks.push(await seed(test, { title, week }));
  const member = await createSubscriber(test);
  ({ password } = await createAppPassword(test, member));
});
afterAll(() => test.close());

type Headers = Record<string, string>;

/** By token, as an app of this name and version does. */
function connect(app: { c: string; v: string; f?: string }) {
  const salt = 'c19b2d';
  const auth = { u: 'sipho', t: hash('md5', password + salt, 'hex'), s: salt, ...app };
  const request = (call: string, query: Query = {}, headers: Headers = {}) =>
    test.app.inject({ url: `/rest/${call}.view?${toSearch({ ...auth, ...query })}`, headers });
  return {
    request,
    json: async (call: string, query?: Query) => {
      const body = (await request(call, query)).json<Record<string, Record<string, unknown>>>();
      expect(body['subsonic-response']).toMatchObject({ status: 'ok' });
      return body['subsonic-response'] as Record<string, never>;
    },
  };
}

const listSongs = ({ searchResult3 }: Record<string, { song: { id: string; title: string }[] }>) =>
  searchResult3?.song ?? [];

describe('Symfonium', () => {
  const app = () => connect({ c: 'Symfonium', v: '1.13.0', f: 'json' });

  // https://support.symfonium.app/t/expanding-subsonic-api/1115 (“Necessary for the clients to do full
  // database sync”); the requests: koel/koel, issue 2619; kagemomiji/airsonic-advanced, issue 333
  it('syncs by an empty query in two quotes, kind by kind and page by page', async () => {
    const none = { songOffset: 0, songCount: 0, albumOffset: 0, albumCount: 0 };
    const artists = await app().json('search3', {
      query: '""',
      ...none,
      artistOffset: 0,
      artistCount: 500,
    });
    expect(artists).toMatchObject({
      searchResult3: { artist: [{ name: 'Weekender' }], album: [], song: [] },
    });
    const ask = { query: '""', ...none, artistOffset: 0, artistCount: 0, musicFolderId: 1 };
    const found: string[] = [];
    for (let songOffset = 0; songOffset < 6; songOffset += 2) {
      const page = await app().json('search3', { ...ask, songCount: 2, songOffset });
      found.push(...listSongs(page).map(({ id }) => id));
    }
    expect(found.toSorted()).toEqual(tracks.map(({ id }) => id).toSorted());
  });

  // https://opensubsonic.netlify.app/docs/opensubsonic-changes/
  it('asks for the extensions without a password, and finds what every answer must say', async () => {
    const answer = await test.app.inject({ url: '/rest/getOpenSubsonicExtensions.view?f=json' });
    expect(answer.json()).toMatchObject({
      'subsonic-response': {
        status: 'ok',
        version: '1.16.1',
        type: 'weekender',
        serverVersion: expect.any(String),
        openSubsonic: true,
        openSubsonicExtensions: expect.arrayContaining([{ name: 'formPost', versions: [1] }]),
      },
    });
  });
});

// Of the repository BLeeEZ/amperfy, below AmperfyKit/Api/Subsonic
describe('Amperfy', () => {
  const app = () => connect({ c: 'Amperfy', v: '1.13.0' });
  const DATE = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
  const attributesOf = (xml: string, element: string) =>
    [...xml.matchAll(new RegExp(`<${element} ([^>]*?)/?>`, 'g'))].map(([, text = '']) =>
      Object.fromEntries(
        [...text.matchAll(/(\w+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value]),
      ),
    );

  // SubsonicServerApi.swift: no format, so XML, and the version of the first ping decides how it logs in
  it('finds the version in the XML of a ping', async () => {
    const { body, headers } = await app().request('ping');
    expect(headers['content-type']).toContain('xml');
    expect(attributesOf(body, 'subsonic-response')).toMatchObject([
      { status: 'ok', version: '1.16.1' },
    ]);
  });

  // SsSongParserDelegate.swift, SsPlayableParserDelegate.swift: whole numbers, isDir="false", and dates
  // with fractions of a second, or it forgets them
  it('reads a song from attributes, with dates that have fractions of a second', async () => {
    const [track] = tracks;
    const id = track?.id ?? '';
    await app().request('star', { id });
    const { body } = await app().request('getSong', { id });
    const [song] = attributesOf(body, 'song');
    expect(song).toMatchObject({ id, isDir: 'false', title: 'Braai', albumId: 'week-2026-44' });
    for (const name of ['track', 'year', 'duration', 'size', 'bitRate'])
      expect([name, song?.[name]]).toEqual([name, expect.stringMatching(/^\d+$/)]);
    for (const name of ['created', 'starred'])
      expect([name, song?.[name]]).toEqual([name, expect.stringMatching(DATE)]);
    expect(song?.artistId).toBeTruthy();
    expect(song?.coverArt).toBeTruthy();
    await app().request('unstar', { id });
  });

  // SubsonicServerApi.swift, requestAlbums: pages of albums by name until one is empty
  it('syncs by pages of albums, and ends at an empty one', async () => {
    const names: (string | undefined)[] = [];
    for (let offset = 0; ; offset += 2) {
      const query = { type: 'alphabeticalByName', size: 2, offset };
      const albums = attributesOf((await app().request('getAlbumList2', query)).body, 'album');
      if (albums.length === 0) break;
      names.push(...albums.map(({ name }) => name));
    }
    expect(names.filter((name) => name?.startsWith('Week'))).toEqual([
      'Week 44, 2026',
      'Week 45, 2026',
      'Week 46, 2026',
    ]);
  });

  // SubsonicServerApi.swift, requestServerPodcastSupport: an error here and it shows no podcasts
  it('asks for podcasts without episodes, then for those of one', async () => {
    const { body } = await app().request('getPodcasts', { includeEpisodes: 'false' });
    const [channel] = attributesOf(body, 'channel');
    expect(body).not.toContain('<episode');
    const one = await app().request('getPodcasts', {
      includeEpisodes: 'true',
      id: channel?.id ?? '',
    });
    expect(attributesOf(one.body, 'episode')).toHaveLength(3);
  });

  // SubsonicServerApi.swift, generateUrl and requestScrobble
  it('streams raw, keeps by download, and scrobbles with a parameter of its own', async () => {
    const id = tracks[1]?.id ?? '';
    const stream = await app().request('stream', { id, format: 'raw' });
    expect(stream.headers['content-type']).toBe('audio/mpeg');
    const kept = await app().request('download', { id });
    expect(kept.rawPayload.length).toBe(Number(kept.headers['content-length']));
    const date = Math.floor(test.clock.now() / 1000);
    const { body } = await app().request('scrobble', { id, date, submission: 'true' });
    expect(body).toContain('status="ok"');
  });

  // SubsonicServerApi.swift, requestPlaylistUpdate
  it('changes a playlist by the places of songs and by ids in one call', async () => {
    const [first, second, third] = tracks.map(({ id }) => id);
    const created = await app().request('createPlaylist', { name: 'Mine' });
    const [playlist] = attributesOf(created.body, 'playlist');
    const playlistId = playlist?.id ?? '';
    const update = (query: Query) =>
      app().request('updatePlaylist', { playlistId, name: 'Mine', ...query });
    await update({ songIdToAdd: [first ?? '', second ?? ''] });
    await update({ songIndexToRemove: 0, songIdToAdd: third ?? '' });
    const { body } = await app().request('getPlaylist', { id: playlistId });
    expect(attributesOf(body, 'entry').map(({ id }) => id)).toEqual([second, third]);
    await app().request('deletePlaylist', { id: playlistId });
  });
});

// jeffvli/feishin, src/shared/api/subsonic/subsonic-types.ts
describe('Feishin', () => {
  const app = () => connect({ c: 'Feishin', v: '1.13.0', f: 'json' });

  it('logs in by getUser, with every role as true or false and folders as numbers', async () => {
    const { user } = await app().json('getUser', { username: 'sipho' });
    const roles = ['admin', 'comment', 'coverArt', 'download', 'jukebox', 'playlist', 'podcast'];
    for (const role of [...roles, 'settings', 'share', 'stream', 'upload'])
      expect([role, user?.[`${role}Role`]]).toEqual([role, expect.any(Boolean)]);
    expect(user).toMatchObject({ username: 'sipho', scrobblingEnabled: true });
    expect(user).toMatchObject({ folder: [expect.any(Number)] });
  });

  it('expects of a song what its schema doesn’t call optional', async () => {
    const songs = listSongs(await app().json('search3', { query: '', songCount: 10 }));
    expect(songs).toHaveLength(3);
    for (const song of songs)
      expect(song).toMatchObject({
        id: expect.any(String),
        title: expect.any(String),
        contentType: 'audio/mpeg',
        created: expect.any(String),
        isDir: false,
        isVideo: false,
        parent: expect.any(String),
        path: expect.any(String),
        size: expect.any(Number),
        suffix: 'mp3',
        type: 'music',
        discNumber: expect.any(Number),
        artists: [{ id: expect.any(String), name: 'Weekender' }],
        albumArtists: [{ id: expect.any(String), name: 'Weekender' }],
      });
  });

  it('calls from a page of another origin', async () => {
    const { headers } = await app().request('ping', {}, { origin: 'http://127.0.0.1:9180' });
    expect(headers['access-control-allow-origin']).toBe('*');
  });
});

// Of the repository CappielloAntonio/tempo, below app/src/main/java/com/cappielloantonio/tempo/subsonic
describe('Tempo', () => {
  const app = () => connect({ c: 'Tempo', v: '1.15.0', f: 'json' });

  // models/Child.kt: Gson fails for the whole answer where an integer has a fraction
  it('reads whole numbers where its classes have them', async () => {
    const songs = listSongs(await app().json('search3', { query: '""', songCount: 10 }));
    for (const song of songs as unknown as Record<string, unknown>[])
      for (const name of ['track', 'year', 'size', 'duration', 'bitRate', 'playCount'])
        expect([name, Number.isInteger(song[name])]).toEqual([name, true]);
  });

  // RetrofitClient.kt: dates begin yyyy-MM-dd'T'HH:mm:ss
  it('reads dates that begin with day and time', async () => {
    const { albumList2 } = await app().json('getAlbumList2', { type: 'newest', size: 10 });
    const albums = (albumList2 as unknown as { album: { created: string }[] }).album;
    expect(albums.length).toBeGreaterThan(2);
    for (const { created } of albums) expect(created).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/);
  });
});

// ghenry22/substreamer, src/services/subsonicService.ts
describe('Substreamer', () => {
  const app = () => connect({ c: 'substreamer8', v: '1.15.0' });

  it('names the format always, “raw” for the file as it is, and wants to know its length', async () => {
    const id = tracks[2]?.id ?? '';
    const kept = await app().request('stream', {
      id,
      format: 'raw',
      estimateContentLength: 'true',
    });
    expect([kept.statusCode, kept.headers['content-type']]).toEqual([200, 'audio/mpeg']);
    expect(kept.rawPayload.length).toBe(Number(kept.headers['content-length']));
    const part = await app().request('stream', { id, format: 'raw' }, { range: 'bytes=100-' });
    expect([part.statusCode, part.rawPayload.length]).toEqual([206, kept.rawPayload.length - 100]);
  });

  it('asks for covers in a size, of songs, albums, artists and playlists', async () => {
    for (const id of [tracks[0]?.id ?? '', 'week-2026-46', 'artist-site']) {
      const cover = await app().request('getCoverArt', { id, size: 300 });
      expect([id, cover.statusCode, cover.headers['content-type']]).toEqual([
        id,
        200,
        expect.stringMatching(/^image\//),
      ]);
    }
  });

  it('logs in with the password in hexadecimal where tokens fail', async () => {
    const p = `enc:${Buffer.from(password).toString('hex')}`;
    const query = toSearch({ u: 'sipho', p, v: '1.15.0', c: 'substreamer8', f: 'json' });
    const answer = await test.app.inject({ url: `/rest/ping.view?${query}` });
    expect(answer.json()).toMatchObject({ 'subsonic-response': { status: 'ok' } });
  });
});

// tamland/airsonic-refix, src/auth/service.ts
describe('Airsonic (refix)', () => {
  it('logs in again with a token and an empty password, or the other way round', async () => {
    const s = 'c19b2d';
    const t = hash('md5', password + s, 'hex');
    for (const auth of [
      { s, t, p: '' },
      { s: '', t: '', p: password },
    ]) {
      const query = toSearch({ u: 'sipho', ...auth, v: '1.15.0', c: 'app', f: 'json' });
      const answer = await test.app.inject({ url: `/rest/ping?${query}` });
      expect(answer.json()).toMatchObject({ 'subsonic-response': { status: 'ok' } });
    }
  });

  it('isn’t let in with nothing but empty ones', async () => {
    const query = toSearch({ u: 'sipho', s: '', t: '', p: '', v: '1.15.0', c: 'app', f: 'json' });
    const answer = await test.app.inject({ url: `/rest/ping?${query}` });
    expect(answer.json()).toMatchObject({ 'subsonic-response': { status: 'failed' } });
  });
});

// clementine-player/Clementine, src/internet/subsonic/subsonicservice.cpp: one other element, and it stops
describe('Clementine', () => {
  const app = () => connect({ c: 'Clementine', v: '1.8.0' });
  /** The elements directly below another, by name. */
  const childrenOf = (xml: string, parent: string) => {
    const inside = new RegExp(`<${parent}[ >][^]*</${parent}>`).exec(xml)?.[0] ?? '';
    let depth = 0;
    return [...inside.matchAll(/<(\/?)(\w+)[^>]*?(\/?)>/g)].flatMap(([, isEnd, name, isEmpty]) => {
      if (isEnd) depth -= 1;
      const found = !isEnd && depth === 1 ? [name] : [];
      if (!isEnd && !isEmpty) depth += 1;
      return found;
    });
  };

  it('finds nothing but albums in a page of them, and an empty page at the end', async () => {
    const query = { type: 'alphabeticalByName', size: 500 };
    const first = await app().request('getAlbumList2', { ...query, offset: 0 });
    expect(childrenOf(first.body, 'albumList2')).toEqual(['album', 'album', 'album']);
    const second = await app().request('getAlbumList2', { ...query, offset: 500 });
    expect(second.body).toContain('<albumList2');
    expect(second.body).not.toContain('<album ');
  });

  it('finds nothing but songs, artists and genres in an album', async () => {
    const { body } = await app().request('getAlbum', { id: 'week-2026-46' });
    const children = childrenOf(body, 'album');
    expect(children).toContain('song');
    expect(['artists', 'genres', 'song']).toEqual(expect.arrayContaining(children));
  });
});

// strawberrymusicplayer/strawberry 1.0.14, src/subsonic/subsonicrequest.cpp
describe('Strawberry', () => {
  it('leaves out songs without these fields, and covers that aren’t a usual picture', async () => {
    const app = connect({ c: 'Strawberry', v: '1.11.0', f: 'json' });
    const { album } = await app.json('getAlbum', { id: 'week-2026-46' });
    const [song] = (album as unknown as { song: Record<string, unknown>[] }).song;
    for (const name of ['id', 'title', 'size', 'suffix', 'duration', 'type'])
      expect(song).toHaveProperty(name);
    const cover = await app.request('getCoverArt', { id: String(song?.coverArt) });
    expect(cover.headers['content-type']).toMatch(/^image\/(png|jpeg)$/);
  });
});
