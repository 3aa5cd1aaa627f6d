import type { AddressInfo } from 'node:net';
import { SubsonicAPI } from 'subsonic-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MINUTE } from '#contract/rules/time.ts';
import type { TracksTable } from '../../db/types/tables.ts';
import { createTestApp, type TestApp } from '../../testing/test-app.ts';
import { createAppPassword, seed } from '../../testing/test-subsonic.ts';
import { createSubscriber, createUser } from '../../testing/test-user.ts';

let test: TestApp;
let url: string;
let track: TracksTable;
let other: TracksTable;
const auths: Record<string, { username: string; password: string } | { apiKey: string }> = {};
let freeKey: string;

beforeAll(async () => {
  test = await createTestApp();
  track = await seed(test, { title: 'Golden Hour Pressure' });
  other = await seed(test, { title: 'Night Bus', week: 45 });
  const member = await createSubscriber(test);
  const { password } = await createAppPassword(test, member, 'Phone');
  auths.token = { username: 'sipho', password };
  auths.key = { apiKey: (await createAppPassword(test, member, 'Laptop')).password };
  freeKey = (await createAppPassword(test, await createUser(test))).password;
  await test.app.listen({ port: 0, host: '127.0.0.1' });
  url = `http://127.0.0.1:${(test.app.server.address() as AddressInfo).port}`;
});
afterAll(() => test.close());

describe.each(['token', 'key'])('the client of another project, with its %s', (kind) => {
  describe.each([false, true])('by form: %s', (post) => {
    const connect = () => new SubsonicAPI({ url, auth: auths[kind]!, post });

    it('finds its way from an artist to a song and its tracklist', async () => {
      const api = connect();
      expect(await api.ping()).toMatchObject({ status: 'ok', openSubsonic: true });
      const { artists } = await api.getArtists();
      const artist = artists.index![0]!.artist![0]!;
      const { artist: withAlbums } = await api.getArtist({ id: artist.id });
      const album = withAlbums.album![0]!;
      expect(album).toMatchObject({ name: 'Week 46, 2026', songCount: 1 });
      const { album: withSongs } = await api.getAlbum({ id: album.id });
      const song = withSongs.song![0]!;
      expect(song).toMatchObject({ id: track.id, title: 'Golden Hour Pressure' });
      expect(song.created).toBeInstanceOf(Date);
      expect(await api.getLyricsBySongId({ id: song.id })).toMatchObject({
        lyricsList: {
          structuredLyrics: [{ line: [{ start: 0, value: 'Relay Room – Substation Intro' }] }],
        },
      });
      const { searchResult3 } = await api.search3({ query: 'night' });
      expect(searchResult3.song?.map(({ title }) => title)).toEqual(['Night Bus']);
    });

    it('plays, stars and collects', async () => {
      const api = connect();
      const stream = await api.stream({ id: track.id });
      expect([stream.status, (await stream.text()).slice(0, 7)]).toEqual([200, 'STREAM:']);
      const download = await api.download({ id: track.id });
      expect((await download.text()).slice(0, 4)).toBe('MP3:');
      const cover = await api.getCoverArt({ id: track.id });
      expect(cover.headers.get('content-type')).toBe('image/png');
      await api.scrobble({ id: track.id, submission: false });
      test.clock.advance(MINUTE);
      await api.scrobble({ id: track.id });
      await api.star({ id: track.id });
      const { starred2 } = await api.getStarred2();
      expect(starred2.song?.map(({ id }) => id)).toEqual([track.id]);
      await api.unstar({ id: track.id });
      const { playlist } = await api.createPlaylist({ name: 'Mine', songId: [track.id, other.id] });
      const { playlist: read } = await api.getPlaylist({ id: playlist.id });
      expect(read.entry?.map(({ title }) => title)).toEqual(['Golden Hour Pressure', 'Night Bus']);
      await api.deletePlaylist({ id: playlist.id });
      await api.savePlayQueue({ id: [track.id, other.id], current: other.id, position: 5000 });
      const { playQueue } = await api.getPlayQueue();
      expect(playQueue).toMatchObject({ current: other.id, position: 5000 });
      await api.createBookmark({ id: track.id, position: 30_000 });
      const { bookmarks } = await api.getBookmarks();
      expect(bookmarks.bookmark).toMatchObject([{ position: 30_000 }]);
      await api.deleteBookmark({ id: track.id });
    });
  });
});

it('gives the client of a member without Premium the preview, and no download', async () => {
  const api = new SubsonicAPI({ url, auth: { apiKey: freeKey } });
  const stream = await api.stream({ id: track.id });
  expect((await stream.text()).slice(0, 8)).toBe('PREVIEW:');
  const download = await api.download({ id: track.id });
  expect(await download.json()).toMatchObject({
    'subsonic-response': { status: 'failed', error: { code: 50 } },
  });
});

it('tells the client of a wrong password', async () => {
  const auth = { username: 'sipho', password: 'correct horse battery' };
  expect(await new SubsonicAPI({ url, auth }).ping()).toMatchObject({
    status: 'failed',
    error: { code: 40 },
  });
});
