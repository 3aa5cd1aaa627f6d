/** @module-tag both-databases */
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { UPLOAD_PATH } from '#contract/admin/upload-path.ts';
import { ABANDONED_UPLOAD_MS, MAX_UPLOAD_BYTES, Upload } from '#contract/admin/uploads.ts';
import { createAdmin } from '../../testing/test-admin.ts';
import { seedArtist } from '../../testing/seed-artist.ts';
import { createTestApp, type TestApp, type TestClient } from '../../testing/test-app.ts';
import { createUser } from '../../testing/test-user.ts';
import { findUpload } from './queries.ts';
import { listParts } from './parts.ts';
import { createUploader } from '../../testing/test-upload.ts';
import { writeToneWav } from '../../testing/tone-wav.ts';
import { hasDiskSpace } from './upload-lifecycle.ts';
import { findOrphans, sweepUploads } from './sweep-uploads.ts';
import { DAY } from '#contract/rules/time.ts';
import { describeOnSqlite, itOnSqlite } from '../../testing/on-sqlite.ts';

let tone: Buffer;
let test: TestApp;
let admin: TestClient;
let uploader: ReturnType<typeof createUploader>;

beforeAll(() => {
  tone = writeToneWav({ seconds: 2, loudFrom: 1 });
});
const start = async () => {
  test = await createTestApp();
  admin = (await createAdmin(test)).client;
  uploader = createUploader(admin);
};

const folder = () => join(test.deps.config.dataDir, 'uploads');
const read = async (url: string): Promise<Upload> =>
  Upload.parse((await admin.request({ url: `${url}/details` })).json());
const listTracks = () => test.deps.database.db.selectFrom('tracks').selectAll().execute();
async function listOrphans(): Promise<string[]> {
  const keys: string[] = [];
  for await (const key of findOrphans(test.deps, Date.now() + 1000)) keys.push(key);
  return keys.toSorted();
}
const never = new AbortController().signal;
async function listStored(of: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of test.deps.storage.list(of)) keys.push(key);
  return keys;
}

const idOf = (url: string) => url.split('/').at(-1) ?? '';
const isKept = async (url: string) => (await readdir(folder())).includes(idOf(url));

describe('an upload', () => {
  beforeEach(start);
  afterEach(() => test.close());

  itOnSqlite('resumes where it stopped and becomes a track in processing', async () => {
    const created = await uploader.create(tone.length, {
      filename: 'wk47-thunder-at-four-master.wav',
    });
    expect(created.statusCode).toBe(201);
    expect(created.headers['access-control-allow-origin']).toBeUndefined();
    const url = String(created.headers.location);
    expect((await uploader.patch(url, 0, tone.subarray(0, 100_000))).statusCode).toBe(204);
    expect((await read(url)).received).toBe(100_000);
    const head = await uploader.head(url);
    expect(head.headers).toMatchObject({
      'upload-offset': '100000',
      'upload-length': String(tone.length),
    });
    const rest = await uploader.patch(url, 100_000, tone.subarray(100_000));
    expect(rest.statusCode).toBe(204);
    expect((await read(url)).state).toBe('received');
    await test.worker.runDue();
    const upload = await read(url);
    expect(upload).toMatchObject({ state: 'finished', title: 'Thunder at Four', week: 47 });
    expect(upload.track).toMatchObject({
      title: 'Thunder at Four',
      weekNumber: 47,
      state: 'draft',
      progress: 100,
      stages: expect.arrayContaining(['analysis', 'preview', 'stream', 'downloads']) as string[],
    });
    expect(await readdir(folder())).toEqual([]);
  });

  it('is complete even if the server stopped between its last byte and the response', async () => {
    const created = await uploader.create(tone.length, { filename: 'a.wav' });
    const url = String(created.headers.location);
    await writeFile(join(folder(), idOf(url)), tone);
    expect((await uploader.head(url)).headers['upload-offset']).toBe(String(tone.length));
    expect((await read(url)).state).toBe('received');
  });

  itOnSqlite('is completed by the sweep when no browser resumes it', async () => {
    const created = await uploader.create(tone.length, { filename: 'a.wav' });
    const url = String(created.headers.location);
    await writeFile(join(folder(), idOf(url)), tone);
    await sweepUploads(test.deps, never);
    expect((await read(url)).state).toBe('received');
  });

  it('creates one track, however often and wherever the job is interrupted', async () => {
    const url = await uploader.upload(tone, { filename: 'a.wav' });
    const id = idOf(url);
    const { database, storage } = test.deps;
    const job = await database.db
      .selectFrom('jobs')
      .selectAll()
      .where('name', '=', 'complete-upload')
      .executeTakeFirstOrThrow();
    // Stopped after the file was moved into the store, before the track was created.
    const [part] = await listParts(database.db, id);
    await storage.adopt(`masters/${id}.wav`, storage.localPath?.(part?.key ?? '') ?? '');
    const { createHash } = await import('node:crypto');
    const sha256 = createHash('sha256').update(tone).digest('hex');
    await database.db
      .updateTable('uploads')
      .set({ sha256, container: 'wav', tags: '{}' })
      .execute();
    await test.worker.runDue();
    expect(await listTracks()).toHaveLength(1);
    await database.db.insertInto('jobs').values(job).execute();
    await test.worker.runDue();
    const [track, ...more] = await listTracks();
    expect(more).toEqual([]);
    expect(track).toMatchObject({ status: 'ready', master_key: `masters/${id}.wav` });
    expect(await storage.stat(`masters/${id}.wav`)).toEqual({ size: tone.length });
  });

  itOnSqlite('can be cancelled and leaves nothing behind', async () => {
    const created = await uploader.create(tone.length, { filename: 'a.wav' });
    const url = String(created.headers.location);
    await uploader.patch(url, 0, tone.subarray(0, 1000));
    expect((await uploader.cancel(url)).statusCode).toBe(204);
    expect(await readdir(folder())).toEqual([]);
    expect((await admin.request({ url: `${url}/details` })).statusCode).toBe(404);
    expect((await uploader.head(url)).statusCode).toBe(404);
  });
});

describe('a duplicate file', () => {
  beforeEach(start);
  afterEach(() => test.close());

  it('is reported before it becomes a track, and an administrator decides', async () => {
    await uploader.upload(tone, { filename: 'first.wav' });
    await test.worker.runDue();
    const [first] = await listTracks();
    const url = await uploader.upload(tone, { filename: 'second.wav' });
    await test.worker.runDue();
    const upload = await read(url);
    expect(upload).toMatchObject({ state: 'duplicate', duplicateOf: { id: first?.id } });
    expect(await listTracks()).toHaveLength(1);
    const kept = await admin.request({ method: 'POST', url: `${url}/accept` });
    expect(kept.statusCode).toBe(200);
    await test.worker.runDue();
    expect(await listTracks()).toHaveLength(2);
  });
});

describeOnSqlite('bad input', () => {
  beforeAll(start);
  afterAll(() => test.close());

  it.each([
    [
      'text',
      Buffer.from('This is no music at all, whatever it is called. '.repeat(3000)),
      /not an audio file/,
    ],
    ['an archive', Buffer.concat([Buffer.from('PK\x03\x04'), Buffer.alloc(100_000)]), /archive/],
  ])('%s is refused after its first bytes and deleted', async (_name, bytes, sentence) => {
    const created = await uploader.create(10_000_000, { filename: 'mix.wav' });
    const url = String(created.headers.location);
    const answer = await uploader.patch(url, 0, bytes);
    expect(answer.statusCode).toBe(422);
    expect(answer.json()).toMatchObject({ code: 'audio_refused', message: sentence });
    expect(await read(url)).toMatchObject({ state: 'refused', failure: sentence });
    expect(await isKept(url)).toBe(false);
    expect((await uploader.patch(url, bytes.length, bytes)).statusCode).toBe(410);
  });

  it('a small file that is not audio is refused once it is complete', async () => {
    const url = await uploader.upload(Buffer.from('#EXTM3U\nhttp://x/'), { filename: 'mix.mp3' });
    await test.worker.runDue();
    expect(await read(url)).toMatchObject({
      state: 'refused',
      failure: expect.stringMatching(/playlist/) as string,
    });
    expect(await listTracks()).toEqual([]);
    expect(await isKept(url)).toBe(false);
  });

  it.each([
    ['larger than 4 GB', MAX_UPLOAD_BYTES + 1, 413],
    ['empty', 0, 422],
  ])('a file that is %s is refused before it is uploaded', async (_name, size, status) => {
    const before = await readdir(folder());
    const answer = await uploader.create(size, { filename: 'mix.wav' });
    expect(answer.statusCode).toBe(status);
    expect(await readdir(folder())).toEqual(before);
  });

  it('an upload cannot change its declared size or grow beyond it', async () => {
    const created = await uploader.create(1000, { filename: 'mix.wav' });
    const url = String(created.headers.location);
    const changed = await uploader.patch(url, 0, tone.subarray(0, 500), {
      'upload-length': '2000',
    });
    expect(changed.statusCode).toBe(400);
    expect((await uploader.patch(url, 0, tone.subarray(0, 2000))).statusCode).toBe(413);
    expect((await read(url)).received).toBe(0);
    // Chunked, without a declared length.
    const endless = await admin.request({
      method: 'PATCH',
      url,
      headers: {
        'tus-resumable': '1.0.0',
        'upload-offset': '0',
        'content-type': 'application/offset+octet-stream',
        'transfer-encoding': 'chunked',
      },
      payload: Readable.from([tone.subarray(0, 900), tone.subarray(900, 2000)]),
    });
    expect(endless.statusCode).toBe(413);
    expect(Number((await uploader.head(url)).headers['upload-offset'])).toBeLessThanOrEqual(1000);
    const deferred = await admin.request({
      method: 'POST',
      url: UPLOAD_PATH,
      headers: { 'tus-resumable': '1.0.0', 'upload-defer-length': '1' },
    });
    expect(deferred.statusCode).toBeGreaterThanOrEqual(400);
  });

  it('a part with the wrong offset is refused and changes nothing', async () => {
    const created = await uploader.create(tone.length, { filename: 'mix.wav' });
    const url = String(created.headers.location);
    await uploader.patch(url, 0, tone.subarray(0, 1000));
    const answer = await uploader.patch(url, 5000, tone.subarray(5000, 6000));
    expect(answer.json()).toMatchObject({ code: 'upload_offset' });
    expect((await uploader.head(url)).headers['upload-offset']).toBe('1000');
  });

  it.skipIf(process.platform === 'win32')(
    'a full disk is reported, and the received bytes are kept',
    async () => {
      const created = await uploader.create(tone.length, { filename: 'mix.wav' });
      const url = String(created.headers.location);
      await uploader.patch(url, 0, tone.subarray(0, 1000));
      const { storage } = test.deps;
      const { adopt } = storage;
      storage.adopt = () => Promise.reject(Object.assign(new Error('full'), { code: 'ENOSPC' }));
      const answer = await uploader.patch(url, 1000, tone.subarray(1000, 100_000));
      storage.adopt = adopt;
      expect(answer.statusCode).toBe(507);
      expect(answer.json()).toMatchObject({ code: 'disk_full' });
      expect(await read(url)).toMatchObject({ state: 'uploading', received: 1000 });
      expect(await readdir(folder())).toEqual([]);
    },
  );

  it('a file that does not fit on the disk is refused before it is uploaded', () => {
    expect(hasDiskSpace(3_000_000_000, 1_000_000_000)).toBe(true);
    expect(hasDiskSpace(2_000_000_000, 1_000_000_000)).toBe(false);
  });

  it.each(['../../etc/passwd', '..%2F..%2Fdatabase.sqlite', 'x', '0'.repeat(26)])(
    'the address %s names no upload',
    async (id) => {
      const url = `${UPLOAD_PATH}/${id}`;
      expect((await uploader.head(url)).statusCode).toBe(404);
      expect((await uploader.patch(url, 0, tone.subarray(0, 10))).statusCode).toBe(404);
      expect((await uploader.cancel(url)).statusCode).toBe(404);
    },
  );

  it('a file name loses its path and line breaks', async () => {
    const url = await uploader.upload(tone, { filename: '../../<b>wk12\n</b>.wav' });
    expect((await read(url)).fileName).toBe('b>.wav');
  });
});

describeOnSqlite('upload permissions', () => {
  beforeAll(start);
  afterAll(() => test.close());

  it('allow only administrators, for every method', async () => {
    const url = await uploader.upload(tone.subarray(0, 1000), { filename: 'a.wav' });
    const { client } = await createUser(test);
    for (const [who, status] of [
      [client, 404],
      [test.createClient(), 401],
    ] as const) {
      const other = createUploader(who);
      expect((await other.create(1000)).statusCode).toBe(status);
      expect((await other.head(url)).statusCode).toBe(status);
      expect((await other.patch(url, 0, tone.subarray(0, 10))).statusCode).toBe(status);
      expect((await other.cancel(url)).statusCode).toBe(status);
      expect((await who.request({ url: UPLOAD_PATH })).statusCode).toBe(status);
      expect((await who.request({ method: 'OPTIONS', url: UPLOAD_PATH })).statusCode).toBe(status);
    }
  });

  it('refuse requests that another site makes for an administrator', async () => {
    const answer = await admin.request({
      method: 'POST',
      url: UPLOAD_PATH,
      headers: { 'tus-resumable': '1.0.0', 'upload-length': '10', origin: 'https://evil.example' },
    });
    expect(answer.json()).toMatchObject({ code: 'cross_origin' });
  });
});

describeOnSqlite('the sweep', () => {
  beforeEach(start);
  afterEach(() => test.close());

  it('deletes abandoned uploads', async () => {
    const created = await uploader.create(tone.length, { filename: 'mix.wav' });
    const url = String(created.headers.location);
    await uploader.patch(url, 0, tone.subarray(0, 1000));
    test.clock.advance(ABANDONED_UPLOAD_MS - 1000);
    await sweepUploads(test.deps, never);
    expect((await read(url)).state).toBe('uploading');
    test.clock.advance(2000);
    await sweepUploads(test.deps, never);
    expect(await findUpload(test.deps.database.db, idOf(url))).toBeUndefined();
    await test.worker.runDue();
    expect(await listStored('uploads')).toEqual([]);
  });

  it('removes orphaned files and no others', async () => {
    const { storage } = test.deps;
    await uploader.upload(tone, { filename: 'a.wav' });
    await test.worker.runDue();
    await storage.put('masters/orphan.wav', Buffer.from('x'));
    await storage.put('tracks/orphan-stream.mp3', Buffer.from('x'));
    await storage.put('covers/orphan.webp', Buffer.from('x'));
    const { db } = test.deps.database;
    await storage.put('covers/guest.webp', Buffer.from('x'));
    await seedArtist({ db, now: test.clock.now() }, 'Guest');
    await db.updateTable('artists').set({ picture_key: 'covers/guest.webp' }).execute();
    await writeFile(join(folder(), 'stray'), 'x');
    await storage.put('uploads/gone/0-orphan', Buffer.from('x'));
    await storage.put('probes/orphan', Buffer.from('x'));
    expect(await listOrphans()).toEqual([
      'covers/orphan.webp',
      'masters/orphan.wav',
      'probes/orphan',
      'tracks/orphan-stream.mp3',
      'uploads/gone/0-orphan',
    ]);
    // Files have the machine's time, which differs from the clock of the test.
    test.clock.advance(Date.now() - test.clock.now() + 3 * DAY);
    await sweepUploads(test.deps, never);
    expect(await listOrphans()).toEqual([]);
    expect(await readdir(folder())).toEqual([]);
    const [track] = await listTracks();
    expect(await storage.stat(track?.master_key ?? '')).toEqual({ size: tone.length });
    expect(await storage.stat('covers/guest.webp')).toEqual({ size: 1 });
  });
});
