import { createReadStream } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { EncodeJob, Rendition } from '../../ports/media/media.ts';
import { readTrack, readTrackFiles, seedTrack } from '../../testing/seed-track.ts';
import { createTestApp, type TestApp } from '../../testing/test-app.ts';
import { writeToneWav } from '../../testing/tone-wav.ts';
import { findOrphans } from '../uploads/sweep-uploads.ts';
import { listStages } from './queries.ts';
import { DROP_AFTER_MS } from './replaced-file.ts';
import { beginIngest, newMaster, recutPreview, repeatIngest } from './service.ts';
import { DAY, HOUR } from '#contract/rules/time.ts';
import { PREVIEW_SECONDS } from '#contract/rules/preview.ts';

let test: TestApp;
beforeEach(async () => {
  test = await createTestApp();
});
afterEach(() => test.close());

const read = (id: string) => readTrack(test.deps.database.db, id);
const readFiles = (id: string) => readTrackFiles(test.deps.database.db, id);

const readStages = async (id: string) =>
  (await listStages(test.deps.database.db, id)).toSorted((a, b) => a.stage.localeCompare(b.stage));

async function give(trackId: string, content: Uint8Array, extension = 'wav') {
  const { database, storage } = test.deps;
  const now = test.clock.now();
  const master = newMaster(extension, now);
  await storage.put(master.masterKey, content);
  await database.db.transaction().execute((tx) => beginIngest(tx, { trackId, ...master, now }));
  return master;
}

const short = () => writeToneWav({ seconds: 4, loudFrom: 1 });
/** Long enough for a preview that can lie at more than one place. */
const tone = () => writeToneWav({ seconds: PREVIEW_SECONDS + 3, loudFrom: 1 });

async function createMix(content = short()): Promise<string> {
  const { database, storage } = test.deps;
  const { id } = await seedTrack(
    { db: database.db, storage, now: test.clock.now() },
    { status: 'processing', preview_start_ms: null, duration_ms: 0 },
  );
  await database.db.deleteFrom('track_files').where('track_id', '=', id).execute();
  await give(id, content);
  await test.worker.runDue();
  return id;
}

async function pressMp3(wav: Buffer, seconds: number) {
  const folder = join(test.deps.config.dataDir, 'pressing');
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
    targets: [{ rendition: 'download320', to: join(folder, 'sound.mp3') }],
    tags: { title: 'Pressed' },
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
  await test.deps.database.db.transaction().execute((tx) => repeatIngest(tx, again));
};

/** Something happens the moment before a rendition is made. Counts how often it is asked for. */
async function beforeMaking(rendition: Rendition, happen: (time: number) => Promise<void>) {
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
const kindsOf = async (id: string) => (await readFiles(id)).map(({ kind }) => kind);

/** Files that the sweep would take for forgotten ones. */
async function listOrphans(): Promise<string[]> {
  const keys: string[] = [];
  for await (const key of findOrphans(test.deps, Date.now() + 1000)) keys.push(key);
  // The files that a seeded track has had are nobody's.
  return keys.filter((key) => !key.endsWith('.bin'));
}

describe('a new sound that is refused', () => {
  it('leaves the master of before with its own stages: moving the preview cuts the preview alone', async () => {
    const id = await createMix(tone());
    const [track, files, stages] = [await read(id), await readFiles(id), await readStages(id)];
    await give(
      id,
      await pressMp3(
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
    const isPreview = ({ kind }: { kind: string }) => kind === 'preview';
    const after = await readFiles(id);
    expect(after.filter((file) => !isPreview(file))).toEqual(files.filter((f) => !isPreview(f)));
    expect(after.find(isPreview)?.key).not.toBe(files.find(isPreview)?.key);
    expect((await read(id)).failure).toBe('The file is silent.');
  });

  it('goes back to what is heard, not to a sound that was never heard', async () => {
    const id = await createMix();
    const [track, files] = [await read(id), await readFiles(id)];
    await give(id, short());
    await give(id, Buffer.from('This is not music.'));
    await test.worker.runDue();
    expect(await read(id)).toMatchObject({ status: 'ready', master_key: track.master_key });
    expect(await readFiles(id)).toEqual(files);
  });
});

describe('a new sound', () => {
  it('that fails at its last files changes nothing of what is heard and downloaded', async () => {
    const id = await createMix();
    const [track, files, stages] = [await read(id), await readFiles(id), await readStages(id)];
    await beforeMaking('download320', () => Promise.reject(new Error('The disk broke.')));
    await give(id, short());
    for (let attempt = 0; attempt < 5; attempt += 1) {
      await test.worker.runDue();
      expect(await readFiles(id)).toEqual(files);
      if (attempt < 4) expect(await listOrphans()).toEqual([]);
      test.clock.advance(DAY);
    }
    expect(await read(id)).toMatchObject({
      status: 'ready',
      failure: expect.stringMatching(/could not process/) as string,
      master_key: track.master_key,
      duration_ms: track.duration_ms,
    });
    expect(await readStages(id)).toEqual(stages);
  });

  it('takes the place of every file, and one that it does not have is gone', async () => {
    const id = await createMix();
    expect(await kindsOf(id)).toContain('flac');
    const { ingestId } = await give(id, await pressMp3(short(), 4), 'mp3');
    await test.worker.runDue();
    expect(await read(id)).toMatchObject({ status: 'ready', failure: null, progress: 100 });
    expect(await kindsOf(id)).toEqual(['mp3', 'preview', 'saver', 'stream']);
    for (const key of await keysOf(id)) expect(key).toContain(ingestId);
  });

  it('has its own most energetic window, unless a person chose the place', async () => {
    const quietThenLoud = writeToneWav({ seconds: PREVIEW_SECONDS + 12, loudFrom: 12 });
    const id = await createMix(tone());
    expect((await read(id)).preview_start_ms).toBeLessThan(4000);
    await give(id, quietThenLoud);
    await test.worker.runDue();
    expect((await read(id)).preview_start_ms).toBeGreaterThan(8000);
    await movePreview(id, 3000);
    await test.worker.runDue();
    await reprocess(id);
    await test.worker.runDue();
    expect((await read(id)).preview_start_ms).toBe(3000);
  });
});

describe('making a mix again', () => {
  it('never writes over a file that is heard, and goes on after a stop with what is left', async () => {
    const id = await createMix();
    const files = await readFiles(id);
    const stream = await beforeMaking('stream', () => Promise.resolve());
    await beforeMaking('download320', async (time) => {
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
    test.clock.advance(DROP_AFTER_MS);
    await test.worker.runDue();
    for (const { key } of files) expect(await storage.stat(key)).toBeNull();
  });

  it('waits while another run is at work on the mix, and a preview that is moved meanwhile is cut', async () => {
    const { database } = test.deps;
    let id = '';
    const downloads = await beforeMaking('download320', async () => {
      id = (
        await database.db.selectFrom('track_files').select('track_id').executeTakeFirstOrThrow()
      ).track_id;
      await movePreview(id, 500);
      // A second worker, at the same time.
      await test.worker.runDue();
    });
    id = await createMix(tone());
    test.clock.advance(60_000);
    await test.worker.runDue();
    expect(downloads.count()).toBe(1);
    expect(await read(id)).toMatchObject({
      status: 'ready',
      failure: null,
      preview_start_ms: 500,
    });
    const preview = (await readFiles(id)).find(({ kind }) => kind === 'preview');
    expect(preview?.key).toMatch(/-preview-500\./);
    const jobs = await database.db.selectFrom('jobs').select('name').execute();
    expect(jobs.filter(({ name }) => name === 'ingest-track')).toEqual([]);
  });
});
