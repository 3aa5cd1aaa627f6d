/** @module-tag both-databases */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { z } from 'zod';
import { DAY, HOUR, MINUTE } from '#contract/rules/time.ts';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import {
  createTestClock,
  createTestWorker,
  LEASE_MS,
  NO_SLOTS,
  type TestClock,
} from '../testing/test-worker.ts';
import { defineJob, defineSchedule } from './define-job.ts';
import { claimNext } from './leases.ts';
import { enqueue } from './queue.ts';
import type { WorkerDeps } from './run-job.ts';

const FAST_MS = 40 * DAY;

let database: TestDatabase;
let clock: TestClock;
let runs: string[];
beforeEach(async () => {
  database = await createTestDatabase();
  clock = createTestClock();
  runs = [];
});
afterEach(() => database.close());

const hourly = defineSchedule({
  name: 'hourly',
  everyMs: HOUR,
  run: async (_deps: WorkerDeps) => void runs.push('hourly'),
});
const note = defineJob({
  name: 'note',
  payload: z.object({}),
  run: async (_deps: WorkerDeps) => void runs.push('note'),
});
const jobs = [hourly, note];

it('lets schedules sleep no longer than their period', async () => {
  clock.time += FAST_MS;
  const { worker } = createTestWorker(database, clock, jobs, { slots: NO_SLOTS });
  await worker.start();
  await worker.runDue();
  expect(runs).toEqual(['hourly']);
  clock.time -= FAST_MS;
  await worker.runDue();
  clock.time += HOUR;
  await worker.runDue();
  expect(runs).toEqual(['hourly', 'hourly']);
  await worker.stop();
});

it('runs jobs that were enqueued by the fast clock, at once or after their delay', async () => {
  const fast = clock.now() + FAST_MS;
  await enqueue(database.db, note, {}, { now: fast });
  await enqueue(database.db, note, {}, { now: fast, runAt: fast + HOUR });
  const planned = await enqueue(database.db, note, {}, { now: fast, runAt: fast + 30 * DAY });
  const { worker, lines } = createTestWorker(database, clock, jobs, { slots: NO_SLOTS });
  expect(await worker.runDue()).toBe(1);
  expect(lines.map(({ details }) => details)).toContainEqual(
    expect.stringContaining('clock was fast'),
  );
  clock.time += HOUR;
  expect(await worker.runDue()).toBe(1);
  // A date is a date.
  const left = await database.db.selectFrom('jobs').select(['id', 'run_at']).execute();
  expect(left).toEqual([{ id: planned, run_at: fast + 30 * DAY }]);
});

it('gives back a job whose worker died with a fast clock', async () => {
  const fast = clock.now() + FAST_MS;
  await enqueue(database.db, note, {}, { now: fast });
  await claimNext(database, { lane: note.lane, names: ['note'] }, { now: fast, leaseMs: LEASE_MS });
  const { worker } = createTestWorker(database, clock, jobs, { slots: NO_SLOTS });
  expect(await worker.runDue()).toBe(0);
  clock.time += LEASE_MS + MINUTE;
  expect(await worker.runDue()).toBe(1);
});

it('survives a clock that jumps an hour back and forth', async () => {
  const { worker } = createTestWorker(database, clock, jobs, { slots: NO_SLOTS });
  await worker.start();
  await worker.runDue();
  for (let jump = 0; jump < 4; jump += 1) {
    clock.time += (jump % 2 === 0 ? -1 : 1) * HOUR;
    await worker.runDue();
  }
  clock.time += HOUR;
  await worker.runDue();
  expect(runs.length).toBeGreaterThanOrEqual(2);
  expect(runs.length).toBeLessThanOrEqual(4);
  const [next] = await database.db.selectFrom('jobs').select('run_at').execute();
  expect(next?.run_at).toBeLessThanOrEqual(clock.now() + HOUR);
  await worker.stop();
});
