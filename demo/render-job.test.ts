import { afterEach, beforeEach, expect, it } from 'vitest';
import { createWorker } from '#server/jobs/worker.ts';
import { createTestApp, type TestApp } from '#server/testing/test-app.ts';
import { buildDemoTracks } from './catalogue/demo-tracks.ts';
import { enqueueDemoMusic, renderDemoTrack } from './render-job.ts';
import { seedDemoTracks } from './seed-tracks.ts';

let test: TestApp;
beforeEach(async () => {
  test = await createTestApp();
});
afterEach(() => test.close());

it('renders the music of a track, starts its ingest and enqueues the next one', async () => {
  const { database, storage, clock } = test.deps;
  const { db } = database;
  await seedDemoTracks(test.deps);
  await db.deleteFrom('jobs').execute();
  const tracks = buildDemoTracks({ year: 2026, week: 46 }).toSorted(
    (a, b) => a.duration - b.duration,
  );
  const [first, next] = tracks.map(({ id }) => id) as [string, string];
  await enqueueDemoMusic(db, { trackIds: [first, next], lossless: 1 }, clock.now());
  test.clock.advance(1);
  await createWorker({ deps: test.deps, jobs: [renderDemoTrack], defined: [] }).runDue();

  const { master_key: key } = await db
    .selectFrom('tracks')
    .select('master_key')
    .where('id', '=', first)
    .executeTakeFirstOrThrow();
  const wav = storage.localPath?.(key ?? '') ?? '';
  const { durationSeconds } = await (await test.deps.media()).probe(wav);
  expect(durationSeconds).toBeCloseTo(tracks[0]?.duration ?? 0, 0);
  const jobs = await db.selectFrom('jobs').select(['name', 'payload']).orderBy('name').execute();
  expect(jobs.map(({ name }) => name)).toEqual(['ingest-track', 'render-demo-mix']);
  expect(jobs.map(({ payload }) => JSON.parse(payload) as unknown)).toEqual([
    { trackId: first, runId: expect.any(String) },
    { trackIds: [next], lossless: 0 },
  ]);
});
