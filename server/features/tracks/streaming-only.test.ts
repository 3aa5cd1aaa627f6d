/** @module-tag both-databases */
import type { LightMyRequestResponse } from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { User } from '#contract/accounts.ts';
import type { Download } from '#contract/downloads.ts';
import type { ErrorBody } from '#contract/errors.ts';
import type { FileEnds } from '#contract/rules/allowed-files.ts';
import { DAY } from '#contract/rules/time.ts';
import type { Track, TrackDetail } from '#contract/tracks.ts';
import { changeSettings } from '../../db/settings.ts';
import type { TracksTable } from '../../db/types/tables.ts';
import { createFeed } from '../../testing/create-feed.ts';
import { seedTrack } from '../../testing/seed-track.ts';
import { createTestApp, type TestApp } from '../../testing/test-app.ts';
import { createMusicApp } from '../../testing/test-subsonic.ts';
import { createSubscriber, type TestUser } from '../../testing/test-user.ts';

let test: TestApp;
let track: TracksTable;
let sipho: TestUser;
beforeEach(async () => {
  test = await createTestApp();
  const { database, storage, clock } = test.deps;
  track = await seedTrack({ db: database.db, storage, now: clock.now() });
  sipho = await createSubscriber(test);
});
afterEach(() => test.close());

const setSite = (ends: Partial<FileEnds>) =>
  changeSettings(test.deps.database.db, ends, test.clock.now());
const setMix = (change: Partial<TracksTable>) =>
  test.deps.database.db.updateTable('tracks').set(change).where('id', '=', track.id).execute();

const get = async (url: string) => sipho.client.request({ url });
const readDetail = async () => (await get(`/api/tracks/${track.id}`)).json<TrackDetail>();
const readListed = async () =>
  (await get('/api/tracks')).json<{ items: Track[] }>().items[0]?.keeping ?? 'files';
const ask = (format: 'mp3' | 'flac') =>
  sipho.client.request({
    method: 'POST',
    url: `/api/tracks/${track.id}/download`,
    payload: { format },
  });
const sign = async (format: 'mp3' | 'flac') => (await ask(format)).json<{ url: string }>().url;
const codeOf = (answer: LightMyRequestResponse) => answer.json<ErrorBody>().code;
const open = async (url: string) => (await test.app.inject({ url })).statusCode;
const openSave = async () => {
  const { fileUrl } = await readDetail();
  return [(await get(fileUrl)).statusCode, (await get(`${fileUrl}&save=1`)).statusCode];
};
const keepsSaved = async () =>
  (await get(`/api/me/saved-tracks?ids=${track.id},nothing`)).json<{ ids: string[] }>().ids;

/** What a client finds out about a mix, before it asks for a file. */
const describeOffer = async () => {
  const { formats, sizes, isSavingOff = false } = await readDetail();
  return { formats, sizes: Object.keys(sizes), canSave: !isSavingOff, listed: await readListed() };
};

const EVERYTHING = {
  formats: ['mp3', 'flac'],
  sizes: ['stream', 'dataSaver', 'mp3', 'flac'],
  canSave: true,
  listed: 'files',
};
const STREAMS = { formats: [], sizes: ['stream', 'dataSaver'] };

describe('downloads', () => {
  it('end at their time, with links that were given out and answers that are kept in memory', async () => {
    const link = await sign('mp3');
    await setSite({ downloadsEnd: test.clock.now() + 1000 });
    expect(await describeOffer()).toEqual(EVERYTHING);
    expect(await open(link)).toBe(200);
    test.clock.advance(1000);
    expect(await describeOffer()).toEqual({ ...STREAMS, canSave: true, listed: 'saving' });
    expect(await open(link)).toBe(403);
    for (const format of ['mp3', 'flac'] as const)
      expect(codeOf(await ask(format))).toBe('files_off');
    expect(await openSave()).toEqual([200, 200]);
    await setSite({ downloadsEnd: null });
    expect(await open(link)).toBe(200);
  });

  it('stop at once for one mix, and go on for the others', async () => {
    const links = [await sign('mp3'), await sign('flac')];
    await setMix({ has_downloads: 0 });
    for (const url of links) {
      expect(await open(url)).toBe(403);
      const part = await test.app.inject({ url, headers: { range: 'bytes=0-9' } });
      const head = await test.app.inject({ method: 'HEAD', url });
      expect([part.statusCode, head.statusCode, head.headers['content-length']]).toEqual([
        403,
        403,
        expect.not.stringContaining('4096'),
      ]);
    }
    expect(await describeOffer()).toEqual({ ...STREAMS, canSave: true, listed: 'saving' });
    const { database, storage, clock } = test.deps;
    const other = await seedTrack({ db: database.db, storage, now: clock.now() });
    const detail = (await get(`/api/tracks/${other.id}`)).json<TrackDetail>();
    expect(detail.formats).toEqual(['mp3', 'flac']);
  });

  it('stay in the list of what someone downloaded, without a size', async () => {
    await ask('mp3');
    await setMix({ has_downloads: 0 });
    const { items } = (await get('/api/downloads')).json<{ items: Download[] }>();
    expect(items.map(({ format, size }) => [format, size])).toEqual([['mp3', null]]);
  });

  it('are off where a stored time can’t be read', async () => {
    await setSite({ downloadsEnd: null });
    const { db } = test.deps.database;
    await db
      .updateTable('settings')
      .set({ value: '"soon"' })
      .where('name', '=', 'downloadsEnd')
      .execute();
    test.clock.advance(DAY);
    expect((await readDetail()).formats).toEqual([]);
  });
});

describe('lossless files', () => {
  it.each(['the site', 'the mix'])('can end alone, for %s', async (where) => {
    const [mp3, flac] = [await sign('mp3'), await sign('flac')];
    if (where === 'the site') await setSite({ losslessEnd: 0 });
    else await setMix({ has_lossless: 0 });
    expect([await open(mp3), await open(flac)]).toEqual([200, 403]);
    expect(await describeOffer()).toEqual({
      formats: ['mp3'],
      sizes: ['stream', 'dataSaver', 'mp3'],
      canSave: true,
      listed: 'files',
    });
    expect(codeOf(await ask('flac'))).toBe('files_off');
  });
});

describe('saving in the app', () => {
  it('ends for the site: no lease, no new copies, and streaming goes on', async () => {
    expect(await keepsSaved()).toEqual([track.id]);
    await setSite({ savingEnd: test.clock.now() + DAY });
    const readMe = async () => (await get('/api/auth/me')).json<User>();
    expect((await readMe()).offlineUntil).toBe(test.clock.now() + DAY);
    test.clock.advance(DAY);
    expect((await readMe()).offlineUntil).toBeNull();
    expect(await keepsSaved()).toEqual([]);
    expect(await openSave()).toEqual([200, 403]);
    expect(await readListed()).toBe('files');
  });

  it('ends for one mix: its copies go, and nothing is offered if downloads are off too', async () => {
    await setMix({ has_saving: 0 });
    expect(await keepsSaved()).toEqual([]);
    expect(await openSave()).toEqual([200, 403]);
    await setMix({ has_downloads: 0 });
    expect(await describeOffer()).toEqual({ ...STREAMS, canSave: false, listed: 'none' });
  });

  it('ends for a mix that was taken down and for someone without access', async () => {
    await setMix({ deleted_at: test.clock.now(), publish_at: null });
    expect(await keepsSaved()).toEqual([]);
    expect((await test.app.inject({ url: '/api/me/saved-tracks?ids=a' })).statusCode).toBe(401);
  });
});

describe('apps, without downloads', () => {
  it('get the streaming file from podcast addresses that gave a better one', async () => {
    const feed = await createFeed(sipho.client);
    const readFeed = async () => (await test.app.inject({ url: feed })).body;
    const read = async (file: string) =>
      (await test.app.inject({ url: `${feed}/${track.id}/${file}` })).body.slice(0, 7);
    expect(await readFeed()).toContain('-high-quality.mp3');
    expect(await read('best.mp3')).toBe('MP3:MP3');
    await setSite({ downloadsEnd: test.clock.now() + 1000 });
    test.clock.advance(1000);
    expect(await readFeed()).not.toContain('high-quality');
    expect(await readFeed()).toContain('/full/');
    expect(await read('best.mp3')).toBe('STREAM:');
    await setSite({ downloadsEnd: null });
    expect(await readFeed()).toContain('-high-quality.mp3');
    await setMix({ has_downloads: 0 });
    expect(await readFeed()).not.toContain('high-quality');
  });

  it('are told by Subsonic that they can’t download, and stream on', async () => {
    const app = await createMusicApp(test, sipho);
    const mayDownload = async () =>
      (await app.call<{ user: { downloadRole: boolean } }>('getUser')).user.downloadRole;
    expect(await mayDownload()).toBe(true);
    await setMix({ has_downloads: 0 });
    const fetchFile = (call: string, headers = {}) => app.request(call, { id: track.id }, headers);
    expect((await fetchFile('download')).body).toContain('"code":50');
    expect((await fetchFile('download', { range: 'bytes=100-' })).body).toContain('"code":50');
    for (const format of ['raw', 'flac', 'mp3'])
      expect((await app.request('stream', { id: track.id, format })).body).toMatch(/^STREAM:/);
    await setSite({ downloadsEnd: 0 });
    expect(await mayDownload()).toBe(false);
  });
});
