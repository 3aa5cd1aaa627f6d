/** @module-tag both-databases */
import { createReadStream } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RenditionName } from '../../db/types/tables.ts';
import type { EncodeJob } from '../../ports/media/media.ts';
import { readTrack, readTrackFiles, seedTrack, steadyTrackId } from '../../testing/seed-track.ts';
import { createTestApp, type TestApp } from '../../testing/test-app.ts';
import { writeToneWav } from '../../testing/tone-wav.ts';
import { findOrphans } from '../uploads/sweep-uploads.ts';
import { findCurrentRun, insertRun, listRuns } from './ingest-runs.ts';
import { listStages } from './queries.ts';
import { DELETE_AFTER_MS } from './publish-audio.ts';
import { startIngest, createMasterKey, recutPreview, restartIngest } from './service.ts';
import { DAY, HOUR } from '#contract/rules/time.ts';
import { PREVIEW_SECONDS } from '#contract/rules/preview.ts';
import { describeOnSqlite } from '../../testing/on-sqlite.ts';

let test: TestApp;
beforeEach(async () => {
  test = await createTestApp();
});
afterEach(() => test.close());

const read = (id: string) => readTrack(test.deps.database.db, id);
const readFiles = (id: string) => readTrackFiles(test.deps.database.db, id);

const getRun = (id: string) => findCurrentRun(test.deps.database.db, id);

const readStages = async (id: string) => {
  const run = await getRun(id);
  const stages = await listStages(test.deps.database.db, run?.id ?? '');
  return stages.toSorted((a, b) => a.stage.localeCompare(b.stage));
};

async function uploadMaster(trackId: string, content: Uint8Array, extension = 'wav') {
  const { database, storage } = test.deps;
  const now = test.clock.now();
  const master = createMasterKey(extension, now);
  await storage.put(master.masterKey, content);
  await database.db.transaction().execute((tx) => startIngest(tx, { trackId, ...master, now }));
  return master;
}

const short = () => writeToneWav({ seconds: 4, loudFrom: 1 });
/** Long enough for several possible preview starts. */
const tone = () => writeToneWav({ seconds: PREVIEW_SECONDS + 3, loudFrom: 1 });

async function createTrack(content = short()): Promise<string> {
  const { database, storage } = test.deps;
  const { id } = await seedTrack(
    { db: database.db, storage, now: test.clock.now() },
    {
      id: steadyTrackId(database.db),
      status: 'processing',
      preview_start_ms: null,
      duration_ms: 0,
    },
  );
  await database.db.deleteFrom('renditions').where('track_id', '=', id).execute();
  await uploadMaster(id, content);
  await test.worker.runDue();
  return id;
}

async function encodeMp3(wav: Buffer, seconds: number) {
  const folder = join(test.deps.config.dataDir, 'encoding');
  await mkdir(folder, { recursive: true });
  const file = join(folder, 'sound.wav');
  await writeFile(file, wav);
  const media = await test.deps.media();
  const [made] = await media.encode({
    master: { file, probe: await media.probe(file) },
    analysis: {
      durationSeconds: seconds,
      loudness: { integrated: -14, truePeak: -1, range: 5, threshold: -24 },
      normalisation: { gainDb: 0, isLimited: false },
    },
    targets: [{ rendition: 'mp3', to: join(folder, 'sound.mp3') }],
    tags: { title: 'Encoded' },
  });
  const parts: Buffer[] = [];
  for await (const part of createReadStream(made?.file ?? '')) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

const movePreview = (id: string, ms: number) =>
  test.deps.database.db.transaction().execute(async (tx) => {
    const track = await tx
      .updateTable('tracks')
      .set({ preview_start_ms: ms })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow();
    await recutPreview(tx, track, test.clock.now());
  });

const reprocess = async (id: string) => {
  const { master_key: masterKey } = await read(id);
  const again = { trackId: id, masterKey: masterKey ?? '', now: test.clock.now() };
  await test.deps.database.db.transaction().execute((tx) => restartIngest(tx, again));
};

/** Runs a callback before each encoding of a rendition, and counts the encodings. */
async function beforeEncoding(rendition: RenditionName, happen: (time: number) => Promise<void>) {
  const real = await test.deps.media();
  let times = 0;
  const encode: typeof real.encode = async (job: EncodeJob, options) => {
    if (job.targets.some((target) => target.rendition === rendition)) await happen((times += 1));
    return real.encode(job, options);
  };
  test.deps.media = async () => ({ ...real, encode });
  return { count: () => times };
}

const keysOf = async (id: string) => (await readFiles(id)).map(({ key }) => key);
const namesOf = async (id: string) => (await readFiles(id)).map(({ name }) => name);

/** Files that the sweep would delete. */
async function listOrphans(): Promise<string[]> {
  const keys: string[] = [];
  for await (const key of findOrphans(test.deps, Date.now() + 1000)) keys.push(key);
  // Ignores the files of seeded tracks.
  return keys.filter((key) => !key.endsWith('.bin'));
}

describeOnSqlite('new audio that is refused', () => {
  it('leaves the previous master with its own stages: moving the preview only recuts the preview', async () => {
    const id = await createTrack(tone());
    const [track, files, stages] = [await read(id), await readFiles(id), await readStages(id)];
    await uploadMaster(
      id,
      await encodeMp3(
        Buffer.alloc(tone().length).fill(tone().subarray(0, 44), 0, 44),
        PREVIEW_SECONDS + 3,
      ),
      'mp3',
    );
    await test.worker.runDue();
    expect(await read(id)).toMatchObject({
      status: 'ready',
      failure: 'The file is silent.',
      progress: 100,
      master_key: track.master_key,
      master_sha256: track.master_sha256,
      duration_ms: track.duration_ms,
    });
    expect(await readStages(id)).toEqual(stages);

    await movePreview(id, 500);
    await test.worker.runDue();
    const isPreview = ({ name }: { name: string }) => name === 'preview';
    const after = await readFiles(id);
    expect(after.filter((file) => !isPreview(file))).toEqual(files.filter((f) => !isPreview(f)));
    expect(after.find(isPreview)?.key).not.toBe(files.find(isPreview)?.key);
    expect((await read(id)).failure).toBe('The file is silent.');
  });

  it('returns to the audio that plays, not to audio that never played', async () => {
    const id = await createTrack();
    const [track, files] = [await read(id), await readFiles(id)];
    await uploadMaster(id, short());
    await uploadMaster(id, Buffer.from('This is not music.'));
    await test.worker.runDue();
    expect(await read(id)).toMatchObject({ status: 'ready', master_key: track.master_key });
    expect(await readFiles(id)).toEqual(files);
  });
});

describe('new audio', () => {
  it('that fails at its last files changes nothing that plays or downloads', async () => {
    const id = await createTrack();
    const [track, files, stages] = [await read(id), await readFiles(id), await readStages(id)];
    await beforeEncoding('mp3', () => Promise.reject(new Error('The disk broke.')));
    await uploadMaster(id, short());
    for (let attempt = 0; attempt < 5; attempt += 1) {
      await test.worker.runDue();
      expect(await readFiles(id)).toEqual(files);
      if (attempt < 4) expect(await listOrphans()).toEqual([]);
      test.clock.advance(DAY);
    }
    expect(await read(id)).toMatchObject({
      status: 'ready',
      failure: expect.stringMatching(/couldn’t be processed/) as string,
      master_key: track.master_key,
      duration_ms: track.duration_ms,
    });
    expect(await readStages(id)).toEqual(stages);
  });

  it('replaces every file and removes those it does not have', async () => {
    const id = await createTrack();
    expect(await namesOf(id)).toContain('flac');
    const { runId } = await uploadMaster(id, await encodeMp3(short(), 4), 'mp3');
    await test.worker.runDue();
    expect(await read(id)).toMatchObject({ status: 'ready', failure: null, progress: 100 });
    expect(await namesOf(id)).toEqual(['dataSaver', 'mp3', 'preview', 'stream']);
    for (const key of await keysOf(id)) expect(key).toContain(runId);
  });

  it('gets its own preview start, unless an administrator chose one', async () => {
    const quietThenLoud = writeToneWav({ seconds: PREVIEW_SECONDS + 12, loudFrom: 12 });
    const id = await createTrack(tone());
    expect((await read(id)).preview_start_ms).toBeLessThan(4000);
    await uploadMaster(id, quietThenLoud);
    await test.worker.runDue();
    expect((await read(id)).preview_start_ms).toBeGreaterThan(8000);
    await movePreview(id, 3000);
    await test.worker.runDue();
    await reprocess(id);
    await test.worker.runDue();
    expect((await read(id)).preview_start_ms).toBe(3000);
  });
});

describeOnSqlite('processing a track again', () => {
  it('never overwrites a file that plays, and continues after a stop', async () => {
    const id = await createTrack();
    const files = await readFiles(id);
    const stream = await beforeEncoding('stream', () => Promise.resolve());
    await beforeEncoding('mp3', async (time) => {
      expect(await readFiles(id)).toEqual(files);
      if (time === 1) throw new Error('Killed.');
    });
    await reprocess(id);
    await test.worker.runDue();
    test.clock.advance(HOUR);
    await test.worker.runDue();
    expect(stream.count()).toBe(1);
    const after = await readFiles(id);
    for (const { key, size } of after) {
      expect(files.map((file) => file.key)).not.toContain(key);
      expect(await test.deps.storage.stat(key)).toEqual({ size });
    }
    const { storage } = test.deps;
    for (const { key, size } of files) expect(await storage.stat(key)).toEqual({ size });
    test.clock.advance(DELETE_AFTER_MS);
    await test.worker.runDue();
    for (const { key } of files) expect(await storage.stat(key)).toBeNull();
  });

  it('waits while another job works on the track, and cuts a preview that was moved meanwhile', async () => {
    const { database } = test.deps;
    let id = '';
    const downloads = await beforeEncoding('mp3', async () => {
      id = (await database.db.selectFrom('renditions').select('track_id').executeTakeFirstOrThrow())
        .track_id;
      await movePreview(id, 500);
      // A second worker at the same time.
      await test.worker.runDue();
    });
    id = await createTrack(tone());
    test.clock.advance(60_000);
    await test.worker.runDue();
    expect(downloads.count()).toBe(1);
    expect(await read(id)).toMatchObject({
      status: 'ready',
      failure: null,
      preview_start_ms: 500,
    });
    const preview = (await readFiles(id)).find(({ name }) => name === 'preview');
    expect(preview?.key).toMatch(/-preview-500\./);
    const jobs = await database.db.selectFrom('jobs').select('name').execute();
    expect(jobs.filter(({ name }) => name === 'ingest-track')).toEqual([]);
  });
});

describeOnSqlite('a run', () => {
  const readRuns = async (id: string) =>
    (await listRuns(test.deps.database.db, id)).toSorted((a, b) => a.state.localeCompare(b.state));

  it('of a first master records its job and becomes active, with no previous audio', async () => {
    const id = await createTrack();
    const track = await read(id);
    expect(await readRuns(id)).toEqual([
      {
        id: /^masters\/(\w+)\./.exec(track.master_key ?? '')?.[1],
        track_id: id,
        job_id: expect.any(String) as string,
        state: 'active',
        replaces_audio: 0,
        previous_master_key: null,
        previous_master_sha256: null,
        found_preview_start_ms: track.preview_start_ms,
        created_at: test.clock.now(),
        updated_at: test.clock.now(),
      },
    ]);
  });

  it('of new audio records the audio that it replaces, and the job that works on it', async () => {
    const id = await createTrack();
    const { db } = test.deps.database;
    const sha256 = 'a'.repeat(64);
    await db.updateTable('tracks').set({ master_sha256: sha256 }).where('id', '=', id).execute();
    const { master_key } = await read(id);
    const [first] = await readRuns(id);
    const seen: unknown[] = [];
    await beforeEncoding('mp3', async () => {
      const job = await db
        .selectFrom('jobs')
        .select('id')
        .where('name', '=', 'ingest-track')
        .where('state', '=', 'running')
        .executeTakeFirstOrThrow();
      seen.push(job.id, ...(await readRuns(id)));
    });
    test.clock.advance(HOUR);
    const startedAt = test.clock.now();
    const { runId } = await uploadMaster(id, short());
    await test.worker.runDue();
    const [jobId, ...runs] = seen;
    expect(runs).toEqual([
      first,
      {
        id: runId,
        track_id: id,
        job_id: jobId,
        state: 'processing',
        replaces_audio: 1,
        previous_master_key: master_key,
        previous_master_sha256: sha256,
        found_preview_start_ms: first?.found_preview_start_ms,
        created_at: startedAt,
        updated_at: startedAt,
      },
    ]);
    expect(await readRuns(id)).toMatchObject([
      { id: runId, state: 'active', previous_master_key: master_key },
    ]);
  });

  it('that fails says so, and the run before it stays active', async () => {
    const id = await createTrack();
    const [first] = await readRuns(id);
    const { runId } = await uploadMaster(id, Buffer.from('This is not music.'));
    await test.worker.runDue();
    expect(await readRuns(id)).toMatchObject([first, { id: runId, state: 'failed' }]);
    expect((await getRun(id))?.id).toBe(first?.id);
  });

  it('that another master overtakes is gone, and the audio before both is still the previous one', async () => {
    const id = await createTrack();
    const { master_key } = await read(id);
    await uploadMaster(id, short());
    const { runId } = await uploadMaster(id, short());
    expect((await readRuns(id)).map((run) => run.state)).toEqual(['active', 'processing']);
    expect(await getRun(id)).toMatchObject({ id: runId, previous_master_key: master_key });
    await test.worker.runDue();
    expect(await readRuns(id)).toMatchObject([{ id: runId, state: 'active' }]);
  });

  it('is the only one that processes its track', async () => {
    const id = await createTrack();
    await uploadMaster(id, short());
    const run = await getRun(id);
    if (!run) throw new Error('There is no run.');
    const { db } = test.deps.database;
    await expect(insertRun(db, { ...run, id: 'another' })).rejects.toThrow(/unique|duplicate/i);
  });
});

describe('the tracklist of the audio before', () => {
  const readPast = () => test.deps.database.db.selectFrom('past_tracklists').selectAll().execute();

  it('is kept when other audio replaces it, and only then', async () => {
    const id = await createTrack(short());
    await reprocess(id);
    await test.worker.runDue();
    expect(await readPast()).toEqual([]);
    const { chapters, duration_ms } = await read(id);
    await uploadMaster(id, tone());
    // Corrected while the audio is being made: also what the plays before it are measured by.
    const { db } = test.deps.database;
    const corrected = JSON.stringify([{ at: 2, title: 'Corrected', artist: null }]);
    await db.updateTable('tracks').set({ chapters: corrected }).where('id', '=', id).execute();
    test.clock.advance(HOUR);
    await test.worker.runDue();
    expect(chapters).not.toBe(corrected);
    expect(await readPast()).toEqual([
      { track_id: id, until_at: test.clock.now(), chapters: corrected, duration_ms },
    ]);
    expect((await read(id)).duration_ms).not.toBe(duration_ms);
  });
});
