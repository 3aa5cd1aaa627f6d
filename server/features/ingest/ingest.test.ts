import { mkdir, readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PREVIEW_MS, PREVIEW_SECONDS } from '#contract/rules/preview.ts';
import { buildId3, fixture, pictureFrame } from '../../ports/media/testing/samples.ts';
import { createTestApp, type TestApp } from '../../testing/test-app.ts';
import { createAdmin } from '../../testing/test-admin.ts';
import { readTrack, readTrackFiles, seedTrack, steadyTrackId } from '../../testing/seed-track.ts';
import { writeToneWav } from '../../testing/tone-wav.ts';
import { sweepUploads } from '../uploads/sweep-uploads.ts';
import { findCurrentRun } from './ingest-runs.ts';
import { listStages } from './queries.ts';
import { startIngest, createMasterKey } from './service.ts';

let test: TestApp;
beforeEach(async () => {
  test = await createTestApp();
});
afterEach(() => test.close());

async function upload(content: Uint8Array, extension = 'wav'): Promise<string> {
  const { database, storage, clock } = test.deps;
  const now = clock.now();
  const track = await seedTrack(
    { db: database.db, storage, now },
    {
      id: steadyTrackId(database.db),
      status: 'processing',
      preview_start_ms: null,
      duration_ms: 0,
    },
  );
  await database.db.deleteFrom('renditions').where('track_id', '=', track.id).execute();
  const { runId, masterKey } = createMasterKey(extension, now);
  await storage.put(masterKey, content);
  await database.db
    .transaction()
    .execute((tx) => startIngest(tx, { trackId: track.id, runId, masterKey, now }));
  return track.id;
}

const getTrack = (id: string) => readTrack(test.deps.database.db, id);
const getFiles = (id: string) => readTrackFiles(test.deps.database.db, id);

/** Measured by decoding, not read from a header. */
async function listenTo(key: string) {
  const media = await test.deps.media();
  const file = test.deps.storage.localPath?.(key) ?? '';
  return media.analyse({ file, probe: await media.probe(file) });
}

describe('ingest', () => {
  it('creates every rendition and the waveform from a lossless master', async () => {
    // Longer than the preview.
    const id = await upload(writeToneWav({ seconds: PREVIEW_SECONDS + 4, loudFrom: 2 }));
    await test.worker.runDue();
    expect(await getTrack(id)).toMatchObject({
      status: 'ready',
      progress: 100,
      failure: null,
      duration_ms: PREVIEW_MS + 4000,
    });
    const files = await getFiles(id);
    expect(files.map((file) => file.name)).toEqual([
      'dataSaver',
      'flac',
      'mp3',
      'preview',
      'stream',
    ]);
    for (const file of files)
      expect(await test.deps.storage.stat(file.key)).toEqual({ size: file.size });
    const preview = files.find((file) => file.name === 'preview');
    const { durationSeconds, energy } = await listenTo(preview?.key ?? '');
    expect(durationSeconds).toBeLessThanOrEqual(PREVIEW_SECONDS);
    // It begins where the track says, after the quiet seconds.
    expect((await getTrack(id)).preview_start_ms).toBeGreaterThanOrEqual(2000);
    expect(energy[1]).toBeGreaterThan((energy[10] ?? 0) / 2);
    const peaks = await test.app.inject(`/api/tracks/${id}/peaks`);
    expect(peaks.json<{ peaks: number[] }>().peaks.length).toBeGreaterThan(1000);
  });

  it('continues with the unfinished stages after a kill', async () => {
    const id = await upload(writeToneWav({ seconds: 2, loudFrom: 1 }));
    const { database } = test.deps;
    await test.worker.runDue();
    const before = await getFiles(id);
    const runId = (await findCurrentRun(database.db, id))?.id ?? '';
    const stages = await listStages(database.db, runId);
    await database.db.deleteFrom('ingest_stages').where('stage', '=', 'downloads').execute();
    test.clock.advance(5_000);
    const { ingestTrack } = await import('./jobs.ts');
    const { enqueue } = await import('../../jobs/queue.ts');
    await enqueue(database.db, ingestTrack, { trackId: id, runId }, { now: test.clock.now() });
    await test.worker.runDue();
    const after = await listStages(database.db, runId);
    const redone = after.filter(
      ({ stage, finished_at }) =>
        stages.find((old) => old.stage === stage)?.finished_at !== finished_at,
    );
    expect(redone.map(({ stage }) => stage)).toEqual(['downloads']);
    expect((await getFiles(id)).map((file) => file.key)).toEqual(before.map((file) => file.key));
  });

  it.each([
    ['a text file', Buffer.from('This is not music, whatever it is called.\n'.repeat(50))],
    ['an empty file', Buffer.alloc(0)],
    ['a playlist that points elsewhere', Buffer.from('#EXTM3U\n#EXTINF:9,\nfile:///etc/passwd\n')],
  ])('refuses %s with a reason and publishes nothing', async (_name, content) => {
    const id = await upload(content, 'mp3');
    await test.worker.runDue();
    const track = await getTrack(id);
    expect(track.status).toBe('failed');
    expect(track.failure).toMatch(/\.$/);
    expect(await getFiles(id)).toEqual([]);
    expect((await test.app.inject(`/api/tracks/${id}`)).statusCode).toBe(404);
    const jobs = await test.deps.database.db.selectFrom('jobs').selectAll().execute();
    expect(jobs.filter((job) => job.name === 'ingest-track')).toEqual([]);
  });

  it.each([
    ['30,000 pixels', 'image/png', /too large/],
    ['an SVG drawing', 'image/svg+xml', /SVG drawing/],
    ['an SVG drawing that says it is a photo', 'image/jpeg', /SVG drawing/],
  ])('keeps the audio and says why its cover is refused: %s', async (_name, mime, reason) => {
    const create = { width: 30_000, height: 16, channels: 3 as const, background: '#000' };
    const picture =
      mime === 'image/png'
        ? await sharp({ create }).png().toBuffer()
        : Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"></svg>');
    const music = await readFile(fixture('tone.mp3'));
    const id = await upload(Buffer.concat([buildId3([pictureFrame(mime, picture)]), music]), 'mp3');
    await test.deps.database.db.updateTable('tracks').set({ cover_key: null }).execute();
    await test.worker.runDue();
    const { client } = await createAdmin(test);
    const readMix = async () => (await client.request({ url: `/api/admin/tracks/${id}` })).json();
    expect(await readMix()).toMatchObject({
      state: 'published',
      failure: expect.stringMatching(reason) as string,
      coverUrl: null,
    });
    const cover_key = 'covers/chosen.webp';
    await test.deps.database.db.updateTable('tracks').set({ cover_key }).execute();
    expect(await readMix()).toMatchObject({ state: 'published', failure: null });
  });

  it('fails with a reason when every attempt was killed, and their folders are removed', async () => {
    const id = await upload(writeToneWav({ seconds: 2, loudFrom: 1 }));
    const { database, config } = test.deps;
    const job = await database.db
      .updateTable('jobs')
      .set({
        state: 'running',
        attempts: 1,
        interruptions: 19,
        lease_token: 'killed',
        lease_until: 0,
      })
      .where('name', '=', 'ingest-track')
      .returning('id')
      .executeTakeFirstOrThrow();
    const left = join(config.dataDir, 'work', `${job.id}-killed`);
    await mkdir(left, { recursive: true });
    await sweepUploads(test.deps, new AbortController().signal);
    expect(await readdir(join(config.dataDir, 'work'))).toHaveLength(1);
    await test.worker.runDue();
    expect(await getTrack(id)).toMatchObject({
      status: 'failed',
      failure: expect.stringMatching(/couldn’t be processed/) as string,
    });
    await sweepUploads(test.deps, new AbortController().signal);
    expect(await readdir(join(config.dataDir, 'work'))).toEqual([]);
  });

  it('leaves its work folder empty', async () => {
    await upload(writeToneWav({ seconds: 2, loudFrom: 1 }));
    await test.worker.runDue();
    expect(await readdir(join(test.deps.config.dataDir, 'work'))).toEqual([]);
  });
});
