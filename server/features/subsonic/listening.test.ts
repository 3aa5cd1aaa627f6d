/** @module-tag both-databases */
import { once } from 'node:events';
import { get, type IncomingMessage, type ServerResponse } from 'node:http';
import { truncate } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Download } from '#contract/downloads.ts';
import type { Page } from '#contract/paging.ts';
import { PREVIEW_SECONDS } from '#contract/rules/preview.ts';
import { HOUR, MINUTE, SECOND } from '#contract/rules/time.ts';
import { changeSettings } from '../../db/settings.ts';
import type { TracksTable } from '../../db/types/tables.ts';
import { createTestApp, type TestApp } from '../../testing/test-app.ts';
import {
  createMusicApp,
  seed,
  toSearch,
  type Query,
  type TestMusicApp,
} from '../../testing/test-subsonic.ts';
import { createSubscriber, createUser, payUntil, type TestUser } from '../../testing/test-user.ts';
import { downloadsByUser, LINK_LIFETIME_MS } from '../downloads/service.ts';
import { pickRendition } from './media.ts';
import { itOnSqlite } from '../../testing/on-sqlite.ts';

let test: TestApp;
let member: TestUser;
let app: TestMusicApp;
let free: TestMusicApp;
let track: TracksTable;
beforeEach(async () => {
  test = await createTestApp();
  track = await seed(test);
  member = await createSubscriber(test);
  app = await createMusicApp(test, member);
  free = await createMusicApp(test, await createUser(test));
});
afterEach(() => test.close());

const heard = async (of: TestMusicApp, query = {}, call = 'stream', headers = {}) => {
  const { body } = await of.request(call, { id: track.id, ...query }, headers);
  return ['STREAM:', 'DATASAVER:', 'PREVIEW:', 'MP3:', 'FLAC:'].filter((mark) =>
    body.includes(mark),
  );
};

describe('a stream', () => {
  itOnSqlite(
    'is the whole mix for subscribers, in ranges too, and the preview for everyone else',
    async () => {
      const response = await app.request('stream', { id: track.id }, { range: 'bytes=7-13' });
      expect([response.statusCode, response.body, response.headers['content-range']]).toEqual([
        206,
        'STREAM:',
        'bytes 7-13/4096',
      ]);
      expect(await heard(app)).toEqual(['STREAM:']);
      expect(await heard(free)).toEqual(['PREVIEW:']);
      for (const query of [{ format: 'raw' }, { format: 'flac' }, { maxBitRate: 1 }])
        expect(await heard(free, query)).toEqual(['PREVIEW:']);
    },
  );

  itOnSqlite('becomes the preview as soon as a subscription ends', async () => {
    expect(await heard(app)).toEqual(['STREAM:']);
    await payUntil(test, member.user, null);
    expect(await heard(app)).toEqual(['PREVIEW:']);
    expect(await heard(app, {}, 'download')).toEqual([]);
    expect(await heard(app, {}, 'download', { range: 'bytes=100-' })).toEqual([]);
  });

  it('doesn’t exist before its release, nor for subscribers only', async () => {
    const now = test.clock.now();
    const scheduled = await seed(test, { publish_at: now + 100 * HOUR, week: 47 });
    const early = await seed(test, { publish_at: now + HOUR, week: 48 });
    const exclusive = await seed(test, { is_subscriber_only: 1, week: 44 });
    const draft = await seed(test, { publish_at: null, week: 49 });
    for (const call of ['stream', 'download', 'getSong', 'getCoverArt', 'getLyricsBySongId']) {
      for (const { id } of [scheduled, draft]) expect((await app.fail(call, { id })).code).toBe(70);
      for (const { id } of [scheduled, draft, early, exclusive])
        expect((await free.fail(call, { id })).code).toBe(70);
    }
    expect(await heard(app, { id: early.id })).toEqual(['STREAM:']);
    const { searchResult3 } = await free.call<{ searchResult3: { song: { id: string }[] } }>(
      'search3',
      { query: '' },
    );
    expect(searchResult3.song.map(({ id }) => id)).toEqual([track.id]);
  });

  itOnSqlite('is announced with the length and the title of the preview', async () => {
    const { song } = await free.call<{ song: object }>('getSong', { id: track.id });
    expect(song).toMatchObject({
      duration: PREVIEW_SECONDS,
      title: 'Golden Hour Pressure (preview)',
    });
  });

  const files = [
    { name: 'stream', media_type: 'audio/mpeg' },
    { name: 'dataSaver', media_type: 'audio/webm; codecs=opus' },
  ] as const;
  itOnSqlite.each([
    ['', 'stream'],
    ['raw', 'stream'],
    ['mp3', 'stream'],
    ['flv', 'stream'],
    ['codecs', 'stream'],
    ['opus', 'dataSaver'],
    ['webm', 'dataSaver'],
  ] as const)('suits an app that wants the format “%s”', (format, expected) => {
    expect(pickRendition(files, format)).toBe(expected);
    expect(pickRendition(files.slice(0, 1), format)).toBe('stream');
  });

  itOnSqlite('is the data saver in AAC for an app that wants that, where there is no Opus', () => {
    const aac = [files[0], { name: 'dataSaver', media_type: 'audio/mp4' }] as const;
    expect(['aac', 'm4a', 'opus'].map((format) => pickRendition(aac, format))).toEqual([
      'dataSaver',
      'dataSaver',
      'stream',
    ]);
  });
});

describe('a download', () => {
  it('is a file with a name, listed with the other downloads, for subscribers', async () => {
    const response = await app.request('download', { id: track.id });
    expect(response.body).toContain('MP3:');
    expect(response.headers['content-disposition']).toContain('Golden Hour Pressure.mp3');
    await app.request('download', { id: track.id }, { range: 'bytes=100-' });
    const downloads = await member.client.request({ url: '/api/downloads' });
    expect(downloads.json()).toMatchObject({ items: [{ track: { id: track.id }, times: 1 }] });
    expect((await free.fail('download', { id: track.id })).code).toBe(50);
  });

  itOnSqlite(
    'counts wherever in the file an app begins, and not again when it resumes',
    async () => {
      const other = await seed(test, { week: 45 });
      const begin = (id: string, range: string) => app.request('download', { id }, { range });
      const countTimes = async () => {
        const { items } = (await member.client.request({ url: '/api/downloads' })).json<
          Page<Download>
        >();
        return items.map((item) => [item.track.id, item.times]);
      };
      const first = await begin(track.id, 'bytes=1-');
      expect([first.statusCode, first.headers['content-range']]).toEqual([
        206,
        'bytes 1-4095/4096',
      ]);
      expect(await countTimes()).toEqual([[track.id, 1]]);
      test.clock.advance(LINK_LIFETIME_MS - 1);
      await begin(track.id, 'bytes=2000-');
      expect(await countTimes()).toEqual([[track.id, 1]]);
      test.clock.advance(1);
      await begin(track.id, 'bytes=3000-');
      expect(await countTimes()).toEqual([[track.id, 2]]);

      // The member has used up what the limit allows.
      const { db } = test.deps.database;
      const { name, periodMs } = downloadsByUser;
      const used = await db
        .updateTable('rate_limits')
        .set({ tat: test.clock.now() + periodMs })
        .where('key', 'like', `${name}:%`)
        .returning('key')
        .execute();
      expect(used).toHaveLength(1);
      expect((await begin(other.id, 'bytes=1-')).statusCode).toBe(429);
      expect((await begin(track.id, 'bytes=3500-')).statusCode).toBe(206);
      expect(await countTimes()).toEqual([[track.id, 2]]);
    },
  );
});

describe('a cover', () => {
  const measure = async (query: Query) => {
    const { rawPayload } = await app.request('getCoverArt', query);
    const { width, height, format } = await sharp(rawPayload).metadata();
    return [width, height, format];
  };
  const addCover = async (side: number): Promise<string> => {
    const key = `covers/${side}.webp`;
    const picture = { width: side, height: side, channels: 3, background: '#c33' } as const;
    await test.deps.storage.put(key, await sharp({ create: picture }).webp().toBuffer());
    return (await seed(test, { cover_key: key, week: 40 })).id;
  };

  itOnSqlite(
    'is as large as an app asks for or a little larger, in four sizes, and never enlarged',
    async () => {
      const id = await addCover(600);
      expect(await measure({ id })).toEqual([600, 600, 'webp']);
      expect(await measure({ id, size: 0 })).toEqual([600, 600, 'webp']);
      expect(await measure({ id, size: 160 })).toEqual([256, 256, 'jpeg']);
      expect(await measure({ id, size: 1 })).toEqual([128, 128, 'jpeg']);
      expect(await measure({ id, size: 800 })).toEqual([600, 600, 'webp']);
      expect(await measure({ id, size: '9'.repeat(400) })).toEqual([600, 600, 'webp']);
      expect(await measure({ id: track.id, size: 160 })).toEqual([256, 256, 'png']);
      expect(await measure({ id: track.id })).toEqual([512, 512, 'png']);
      expect(await measure({ id: track.id, size: 99_999_999 })).toEqual([1000, 1000, 'png']);
      for (const size of ['large', '1e9', '0x10', '12.5', 'NaN'])
        expect(await app.fail('getCoverArt', { id, size })).toEqual({
          code: 10,
          message: 'The parameter size must be a whole number.',
        });
    },
  );

  itOnSqlite('is sent once to an app that keeps it, in each size', async () => {
    const id = await addCover(600);
    const etags = new Set<unknown>();
    for (const query of [{ id }, { id, size: 160 }, { id, size: 320 }, { id, size: 333 }]) {
      const { headers } = await app.request('getCoverArt', query);
      etags.add(headers.etag);
      const again = { 'if-none-match': String(headers.etag) };
      expect((await app.request('getCoverArt', query, again)).statusCode).toBe(304);
    }
    expect(etags.size).toBe(3);
  });

  it('is there for mixes, weeks, years and artists', async () => {
    for (const id of [track.id, 'week-2026-46', 'year-2026', 'artist-site']) {
      const response = await app.request('getCoverArt', { id, size: 200 });
      expect([response.statusCode, response.headers['content-type']]).toEqual([200, 'image/png']);
    }
    expect((await app.fail('getCoverArt', { id: 'week-2026-01' })).code).toBe(70);
  });
});

describe('devices of an account', () => {
  const STOPPED = expect.stringContaining('You’re listening on another device');

  itOnSqlite(
    'count music apps: the fourth stops the first, which continues when it asks again',
    async () => {
      const apps = [app];
      for (const name of ['Car', 'Kitchen', 'Office'])
        apps.push(await createMusicApp(test, member, name));
      for (const device of apps) {
        expect(await heard(device)).toEqual(['STREAM:']);
        test.clock.advance(SECOND);
      }
      expect(await app.fail('stream', { id: track.id })).toEqual({ code: 50, message: STOPPED });
      expect(await app.fail('stream', { id: track.id })).toEqual({ code: 50, message: STOPPED });
      expect(await heard(apps[1]!)).toEqual(['STREAM:']);
      test.clock.advance(20 * SECOND);
      expect(await heard(app)).toEqual(['STREAM:']);
      expect(await apps[1]!.fail('stream', { id: track.id })).toMatchObject({ code: 50 });
    },
  );

  itOnSqlite('count music apps together with browsers', async () => {
    await changeSettings(test.deps.database.db, { streamsPerAccount: 1 }, test.clock.now());
    await member.client.request({ method: 'POST', url: `/api/tracks/${track.id}/play` });
    test.clock.advance(SECOND);
    expect(await heard(app)).toEqual(['STREAM:']);
    const stopped = await member.client.request({ url: `/media/tracks/${track.id}/stream` });
    expect(stopped.json()).toMatchObject({ code: 'stream_elsewhere' });
  });

  itOnSqlite('have room again once an app is quiet, and never count previews or HEAD', async () => {
    await changeSettings(test.deps.database.db, { streamsPerAccount: 1 }, test.clock.now());
    const second = await createMusicApp(test, member, 'Car');
    expect(await heard(app)).toEqual(['STREAM:']);
    test.clock.advance(2 * MINUTE);
    expect(await heard(second)).toEqual(['STREAM:']);
    await test.app.inject({
      method: 'HEAD',
      url: `/rest/stream?${toSearch({ ...app.auth, id: track.id })}`,
    });
    expect(await heard(second)).toEqual(['STREAM:']);
    await heard(free);
    const rows = await test.deps.database.db.selectFrom('streams').selectAll().execute();
    expect(rows).toHaveLength(2);
  });

  /** Mixes that are too long to be sent at once, from a server that listens. */
  async function listenWithLongMixes(tracks: readonly TracksTable[]) {
    const size = 64 * 1024 * 1024;
    const { database, storage } = test.deps;
    for (const { id } of tracks)
      await truncate(storage.localPath!(`tracks/${id}-stream.bin`), size);
    await database.db.updateTable('renditions').set({ size }).execute();
    await test.app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = test.app.server.address() as AddressInfo;
    return async ({ id }: TracksTable) => {
      const asked = once(test.app.server, 'request') as Promise<[unknown, ServerResponse]>;
      const ended = asked.then(([, answer]) => once(answer, 'close'));
      const path = `/rest/stream?${toSearch({ ...app.auth, id })}`;
      const [response] = (await once(get({ host: '127.0.0.1', port, path }), 'response')) as [
        IncomingMessage,
      ];
      const [, answer] = await asked;
      return { response, answer, ended };
    };
  }

  it('count each mix that an app plays at the same time, and let it load the next one', async () => {
    const tracks = [track];
    for (let week = 40; week < 45; week += 1) tracks.push(await seed(test, { week }));
    const play = await listenWithLongMixes(tracks);
    const playing: Awaited<ReturnType<typeof play>>[] = [];
    for (const each of tracks.slice(0, 5)) {
      playing.push(await play(each));
      test.clock.advance(SECOND);
    }
    // Three devices, of which the first loads two mixes; the fourth ends the first.
    await Promise.all([playing[0]?.ended, playing[1]?.ended]);
    expect(playing.map(({ answer }) => answer.destroyed)).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
    const sixth = await play(tracks[5]!);
    expect(sixth.response.headers['content-type']).not.toContain('audio');
    for (const { response } of [...playing, sixth]) response.destroy();
    await Promise.all([...playing, sixth].map(({ ended }) => ended));
  });

  itOnSqlite('get no more of a file that is being sent once they are stopped', async () => {
    const play = await listenWithLongMixes([track]);
    await changeSettings(test.deps.database.db, { streamsPerAccount: 1 }, test.clock.now());
    const { response, ended } = await play(track);
    const other = await createMusicApp(test, member, 'Car');
    await other.request('stream', { id: track.id }, { range: 'bytes=0-9' });
    await ended;
    response.resume();
    await once(response, 'close').catch(() => undefined);
    expect(response.complete).toBe(false);
  });
});
