/** @module-tag both-databases */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { buildApp } from '../../app.ts';
import { createDeps, type Deps } from '../../deps.ts';
import { createS3Storage } from '../../ports/storage/s3-storage.ts';
import { startS3Server, type TestS3 } from '../../testing/s3-server.ts';
import { createAdmin } from '../../testing/test-admin.ts';
import { cookieOf, createTestApp, type TestApp } from '../../testing/test-app.ts';
import type { TestUser } from '../../testing/test-user.ts';
import { createUploader } from '../../testing/test-upload.ts';
import { writeToneWav } from '../../testing/tone-wav.ts';
import { openRepository } from '../backup/repository.ts';
import { saveBackup } from '../backup/save-backup.ts';
import { restoreBackup } from '../backup/restore-backup.ts';
import { connect } from '../../db/connect.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts';
import { sweepUploads } from './sweep-uploads.ts';
import { listParts } from './parts.ts';
import { itOnSqlite } from '../../testing/on-sqlite.ts';

const tone = writeToneWav({ seconds: 4, loudFrom: 1 });
const other = Buffer.alloc(tone.length, 7);

let s3: TestS3 | null;
let first: TestApp;
let admin: TestUser;
let folder: string;
beforeEach(async () => {
  s3 = null;
  folder = await mkdtemp(join(tmpdir(), 'test-second-'));
});
afterEach(async () => {
  await first.close();
  await s3?.close();
  await rm(folder, { recursive: true, force: true });
});

async function startFirst(store: 'local' | 'S3') {
  if (store === 'S3') s3 = await startS3Server();
  first = await createTestApp(s3 ? { storage: createS3Storage(s3.settings) } : {});
  admin = await createAdmin(first);
}

/** With S3 the second server shares nothing but the database and the bucket. */
async function startSecond() {
  const deps: Deps = {
    ...(await createDeps(
      { ...first.deps.config, dataDir: s3 ? folder : first.deps.config.dataDir },
      {
        database: first.deps.database,
        clock: first.clock,
        log: first.deps.log,
        storage: first.deps.storage,
      },
    )),
  };
  const app = await buildApp(deps);
  const uploader = createUploader({
    cookies: admin.client.cookies,
    request: (options) =>
      app.inject({ ...options, headers: { ...options.headers, cookie: cookieOf(admin.client) } }),
  });
  return { app, uploader };
}

const listStored = async () => {
  const keys: string[] = [];
  for await (const { key } of first.deps.storage.list('uploads')) keys.push(key);
  return keys;
};

it.each(['local', 'S3'] as const)(
  'of two parts for the same offset on two servers one is accepted, and the file is made of it (%s)',
  async (store) => {
    await startFirst(store);
    const second = await startSecond();
    const uploader = createUploader(admin.client);
    const created = await uploader.create(tone.length, { filename: 'mix.wav' });
    const url = String(created.headers.location);
    const id = url.split('/').at(-1) ?? '';
    const half = tone.length / 2;
    expect((await uploader.patch(url, 0, tone.subarray(0, half))).statusCode).toBe(204);
    const answers = await Promise.all([
      uploader.patch(url, half, tone.subarray(half)),
      second.uploader.patch(url, half, other.subarray(half)),
    ]);
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([204, 409]));
    const parts = await listParts(first.deps.database.db, id);
    expect(parts.map(({ first_byte, size }) => [first_byte, size])).toEqual([
      [0, half],
      [half, half],
    ]);
    expect((await listStored()).toSorted()).toEqual(parts.map(({ key }) => key).toSorted());
    await second.app.close();
  },
);

it('with S3 an upload continues on another server and becomes a track there', async () => {
  await startFirst('S3');
  const second = await startSecond();
  const uploader = createUploader(admin.client);
  const created = await uploader.create(tone.length, { filename: 'mix.wav' });
  const url = String(created.headers.location);
  await uploader.patch(url, 0, tone.subarray(0, 70_000));
  expect((await second.uploader.head(url)).headers['upload-offset']).toBe('70000');
  await second.uploader.patch(url, 70_000, tone.subarray(70_000));
  await first.worker.runDue();
  const [track] = await first.deps.database.db.selectFrom('tracks').selectAll().execute();
  expect(await first.deps.storage.stat(track?.master_key ?? '')).toEqual({ size: tone.length });
  expect(await listStored()).toEqual([]);
  await second.app.close();
});

itOnSqlite(
  'while the store is away a part is refused with 503, and nothing of it is kept',
  async ({ skip }) => {
    skip(Boolean(process.env.S3_TEST_URL), 'The store of S3_TEST_URL can’t be stopped.');
    await startFirst('S3');
    const uploader = createUploader(admin.client);
    const created = await uploader.create(tone.length, { filename: 'mix.wav' });
    const url = String(created.headers.location);
    await uploader.patch(url, 0, tone.subarray(0, 70_000));
    await s3?.close();
    s3 = null;
    const refused = await uploader.patch(url, 70_000, tone.subarray(70_000));
    expect(refused.statusCode).toBe(503);
    expect(refused.json()).toMatchObject({ code: 'unavailable' });
    expect(refused.headers['retry-after']).toBeDefined();
    expect((await uploader.head(url)).headers['upload-offset']).toBe('70000');
  },
);

it.each([
  ['has no such bucket', { bucket: 'no-such-bucket' }, 'S3_BUCKET'],
  ['doesn’t know the key', { accessKeyId: 'NOBODY' }, 'S3_ACCESS_KEY_ID'],
])(
  'while the store %s a part is refused with a sentence, and the log says what to check',
  async (_what, wrong, setting) => {
    await startFirst('S3');
    if (!s3) throw new Error('There is no store.');
    const uploader = createUploader(admin.client);
    const created = await uploader.create(tone.length, { filename: 'mix.wav' });
    const url = String(created.headers.location);
    const { storage } = first.deps;
    Object.assign(first.deps, { storage: createS3Storage({ ...s3.settings, ...wrong }) });
    const refused = await uploader.patch(url, 0, tone);
    expect([refused.statusCode, refused.json(), refused.headers['retry-after']]).toEqual([
      503,
      { code: 'unavailable', message: expect.stringMatching(/store .+ refuses this site.+log/) },
      '5',
    ]);
    expect(first.logText()).toContain(`Check ${setting}.`);
    const { components } = (await first.app.inject('/api/health')).json();
    expect(components).toContainEqual({ name: 'storage', status: 'error' });
    Object.assign(first.deps, { storage });
    expect((await uploader.patch(url, 0, tone)).statusCode).toBe(204);
  },
);

it('a server killed between storing a part and accepting it leaves a file that the sweep removes', async () => {
  await startFirst('local');
  const uploader = createUploader(admin.client);
  const created = await uploader.create(tone.length, { filename: 'mix.wav' });
  const url = String(created.headers.location);
  await uploader.patch(url, 0, tone.subarray(0, 70_000));
  const kept = await listStored();
  const id = url.split('/').at(-1) ?? '';
  await first.deps.storage.put(`uploads/${id}/70000-killed`, tone.subarray(70_000));
  expect((await uploader.head(url)).headers['upload-offset']).toBe('70000');
  // Files have the machine’s time.
  first.clock.advance(Date.now() - first.clock.now() + 7 * 3_600_000);
  await first.deps.database.db
    .updateTable('uploads')
    .set({ updated_at: first.clock.now() })
    .execute();
  await sweepUploads(first.deps, new AbortController().signal);
  expect(await listStored()).toEqual(kept);
});

it('a backup restores an unfinished upload with its bytes, and drops one whose bytes are missing', async () => {
  await startFirst('local');
  const uploader = createUploader(admin.client);
  const start = async () => {
    const created = await uploader.create(tone.length, { filename: 'mix.wav' });
    const url = String(created.headers.location);
    await uploader.patch(url, 0, tone.subarray(0, 70_000));
    return url.split('/').at(-1) ?? '';
  };
  const [whole, lost] = [await start(), await start()];
  const { database, storage, config } = first.deps;
  const [part] = await listParts(database.db, lost);
  await storage.delete(part?.key ?? '');
  const saved = join(folder, 'saved');
  const options = { now: first.clock.now(), report: () => undefined };
  const site = database as TestDatabase;
  await openRepository(saved, options.report);
  await saveBackup(
    { database: site.settings, files: join(config.dataDir, 'files') },
    saved,
    options,
  );
  const empty = await createTestDatabase({ isEmpty: true });
  const target =
    empty.dialect === 'sqlite'
      ? { kind: 'sqlite' as const, file: join(folder, 'restored.sqlite') }
      : empty.settings;
  const files = join(folder, 'restored');
  await restoreBackup({ database: target, files }, saved, { ...options, isReplacing: false });
  const restored = connect(target, console);
  const uploads = await restored.db.selectFrom('uploads').select(['id', 'received']).execute();
  expect(uploads).toEqual([{ id: whole, received: 70_000 }]);
  await restored.close();
  await empty.close();
});
