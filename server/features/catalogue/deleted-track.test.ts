/** @module-tag both-databases */
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import sharp from 'sharp';
import type { InjectOptions } from 'fastify';
import { Upload } from '#contract/admin/uploads.ts';
import { createAdmin } from '../../testing/test-admin.ts';
import { createTestApp, type TestApp, type TestClient } from '../../testing/test-app.ts';
import { createCatalogue, type TestCatalogue } from '../../testing/test-catalogue.ts';
import { createUploader } from '../../testing/test-upload.ts';
import { writeToneWav } from '../../testing/tone-wav.ts';
import { completeUpload } from '../uploads/jobs.ts';
import { HOUR } from '#contract/rules/time.ts';
import { describeOnSqlite } from '../../testing/on-sqlite.ts';

let test: TestApp;
let admin: TestClient;
let catalogue: TestCatalogue;
let uploader: ReturnType<typeof createUploader>;
let picture: Buffer;

beforeAll(async () => {
  test = await createTestApp();
  admin = (await createAdmin(test)).client;
  catalogue = createCatalogue(test, admin);
  uploader = createUploader(admin);
  const create = { width: 40, height: 40, channels: 3, background: '#a40' } as const;
  picture = await sharp({ create }).png().toBuffer();
});
afterAll(() => test.close());
beforeEach(async () => {
  await test.deps.database.db.deleteFrom('tracks').execute();
  await test.deps.database.db.deleteFrom('jobs').execute();
});

const remove = (id: string) => catalogue.bulk({ action: 'delete', ids: [id] });
const bringBack = (id: string) => catalogue.bulk({ action: 'restore', ids: [id] });
const readRow = (id: string) =>
  test.deps.database.db
    .selectFrom('tracks')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow();

const putCover = { headers: { 'content-type': 'image/png' }, method: 'PUT' } as const;
const acts: [what: string, ask: (version: number) => InjectOptions & { path: string }][] = [
  ['an edit', (version) => ({ path: '', method: 'PATCH', payload: { version, title: 'Other' } })],
  ['a cover', () => ({ path: '/cover', ...putCover, payload: picture })],
  ['no cover', () => ({ path: '/cover', method: 'DELETE' })],
  ['another run', () => ({ path: '/reprocess', method: 'POST' })],
];

describeOnSqlite('a deleted track that can be restored', () => {
  it.each(acts)('rejects %s until it is restored', async (_what, ask) => {
    const { storage } = test.deps;
    await storage.put('masters/kept.wav', writeToneWav({ seconds: 2, loudFrom: 1 }));
    const { id } = await catalogue.seed({ master_key: 'masters/kept.wav' });
    await remove(id);
    const before = await readRow(id);
    const run = async () => {
      const { path, ...rest } = ask((await readRow(id)).version);
      return admin.request({ ...rest, url: `/api/admin/tracks/${id}${path}` });
    };
    const refused = await run();
    expect([refused.statusCode, refused.json<{ message: string }>().message]).toEqual([
      404,
      'This mix was deleted. Restore it first.',
    ]);
    expect(await readRow(id)).toEqual(before);
    await bringBack(id);
    expect((await run()).statusCode).toBe(200);
  });

  it('is not reprocessed when it is deleted at the same time', async () => {
    const { storage, database } = test.deps;
    await storage.put('masters/kept.wav', writeToneWav({ seconds: 2, loudFrom: 1 }));
    const { id } = await catalogue.seed({ master_key: 'masters/kept.wav' });
    const look = vi.spyOn(storage, 'stat');
    look.mockImplementationOnce(async () => {
      await remove(id);
      return { size: 1 };
    });
    const url = `/api/admin/tracks/${id}/reprocess`;
    expect((await admin.request({ method: 'POST', url })).statusCode).toBe(404);
    look.mockRestore();
    const jobs = await database.db.selectFrom('jobs').select('name').execute();
    expect(jobs.map(({ name }) => name)).not.toContain('ingest-track');
  });

  it('is processed but hidden, and comes out as scheduled once restored', async () => {
    const bytes = writeToneWav({ seconds: 3, loudFrom: 1 });
    const created = await uploader.create(bytes.length, { filename: 'wk40-night-bus.wav' });
    const url = String(created.headers.location);
    const at = test.clock.now() + HOUR;
    const payload = { version: 0, release: { kind: 'at', at } };
    await admin.request({ method: 'PUT', url: `${url}/draft`, payload });
    await uploader.patch(url, 0, bytes);
    const job = { id: '', attempt: 1, maxAttempts: 1, signal: new AbortController().signal };
    await completeUpload.execute(test.deps, JSON.stringify({ uploadId: url.split('/').at(-1) }), {
      ...job,
      finish: (work = async () => undefined) => test.deps.database.db.transaction().execute(work),
    });
    const { track } = Upload.parse((await admin.request({ url: `${url}/details` })).json());
    const id = track?.id ?? '';
    expect(track?.state).toBe('processing');
    await remove(id);
    await test.worker.runDue();
    expect(await readRow(id)).toMatchObject({ status: 'ready', publish_at: null });
    test.clock.advance(2 * HOUR);
    expect(await catalogue.isOut(id)).toBe(false);
    await bringBack(id);
    expect(await readRow(id)).toMatchObject({ publish_at: at, deleted_at: null });
    expect(await catalogue.isOut(id)).toBe(true);
  });
});

async function listCovers(): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of test.deps.storage.list('covers')) keys.push(key);
  return keys.toSorted();
}

describe('a cancelled upload', () => {
  it('accepts no more bytes and creates no track', async () => {
    const bytes = writeToneWav({ seconds: 4, loudFrom: 1 });
    const created = await uploader.create(bytes.length, { filename: 'wk41.wav' });
    const url = String(created.headers.location);
    await uploader.patch(url, 0, bytes.subarray(0, 1000));
    const before = await listCovers();
    const put = { url: `${url}/cover`, ...putCover, payload: picture };
    expect((await admin.request(put)).statusCode).toBe(200);
    expect((await uploader.cancel(url)).statusCode).toBe(204);
    expect((await uploader.patch(url, 1000, bytes.subarray(1000))).statusCode).toBe(404);
    expect((await admin.request(put)).statusCode).toBe(404);
    const draft = {
      method: 'PUT',
      url: `${url}/draft`,
      payload: { version: 1, title: 'x' },
    } as const;
    expect((await admin.request(draft)).statusCode).toBe(404);
    await test.worker.runDue();
    expect(await catalogue.list()).toEqual([]);
    test.clock.advance(2 * HOUR);
    await test.worker.runDue();
    expect(await listCovers()).toEqual(before);
  });
});
