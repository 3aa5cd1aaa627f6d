/** @module-tag both-databases */
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JobsTable } from '../db/types/tables.ts';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import {
  createTestClock,
  createTestWorker,
  NO_SLOTS,
  LEASE_MS,
  type TestClock,
} from '../testing/test-worker.ts';
import { defineSchedule, type JobHandler } from './define-job.ts';
import { claimNext } from './leases.ts';
import { nextRun } from './schedules.ts';
import type { WorkerDeps } from './run-job.ts';

const EVERY_MS = 600_000;

describe('the next run', () => {
  it('is the first one after now', () => {
    const times = fc.integer({ min: 0, max: 10 ** 12 });
    fc.assert(
      fc.property(times, times, fc.integer({ min: 1, max: 10 ** 9 }), (due, late, every) => {
        const next = nextRun(due, every, due + late);
        expect(next).toBeGreaterThan(due + late);
        expect(next - every).toBeLessThanOrEqual(due + late);
        expect((next - due) % every).toBe(0);
      }),
    );
  });

  it('is one period from now when the clock was set back', () => {
    expect(nextRun(1000, 100, 500)).toBe(600);
  });
});

describe('a schedule', () => {
  let database: TestDatabase;
  let clock: TestClock;
  let ranAt: number[];
  let problem: Error | null;
  beforeEach(async () => {
    database = await createTestDatabase();
    clock = createTestClock();
    ranAt = [];
    problem = null;
  });
  afterEach(() => database.close());

  const tidy: JobHandler<WorkerDeps> = defineSchedule({
    name: 'tidy',
    everyMs: EVERY_MS,
    maxAttempts: 1,
    run: async (deps: WorkerDeps) => {
      if (problem) throw problem;
      ranAt.push(deps.clock.now());
    },
  });
  const readJobs = (): Promise<JobsTable[]> =>
    database.db.selectFrom('jobs').selectAll().orderBy('state').execute();

  /** Starting plans it; the rest is driven by hand. */
  const startAndStop = async (): Promise<void> => {
    const { worker } = createTestWorker(database, clock, [tidy], { slots: NO_SLOTS });
    await worker.start();
    await worker.stop();
  };
  const runDue = (): Promise<number> => createTestWorker(database, clock, [tidy]).worker.runDue();

  it('is planned once however many processes start', async () => {
    await Promise.all([startAndStop(), startAndStop(), startAndStop()]);
    expect(await readJobs()).toHaveLength(1);
  });

  it('runs every period, and once after a downtime', async () => {
    const first = clock.now();
    await startAndStop();
    expect(await runDue()).toBe(1);
    expect(await runDue()).toBe(0);
    clock.time = first + EVERY_MS;
    expect(await runDue()).toBe(1);
    const back = first + 7.5 * EVERY_MS;
    clock.time = back;
    await startAndStop();
    expect(await runDue()).toBe(1);
    expect(ranAt).toEqual([first, first + EVERY_MS, back]);
    expect(await readJobs()).toMatchObject([{ state: 'ready', run_at: first + 8 * EVERY_MS }]);
  });

  it('continues after its last attempt failed, and keeps the newest dead job', async () => {
    await startAndStop();
    for (const message of ['First.', 'Second.']) {
      problem = new Error(message);
      expect(await runDue()).toBe(1);
      expect(await readJobs()).toMatchObject([
        { state: 'dead', last_error: message },
        { state: 'ready', run_at: clock.now() + EVERY_MS },
      ]);
      clock.time += EVERY_MS;
    }
    problem = null;
    expect(await runDue()).toBe(1);
    expect(await readJobs()).toMatchObject([{ state: 'ready' }]);
  });

  it('continues after it killed its worker', async () => {
    await startAndStop();
    await claimNext(
      database,
      { lane: 'housekeeping', names: ['tidy'] },
      { now: clock.now(), leaseMs: LEASE_MS },
    );
    clock.time += LEASE_MS;
    expect(await runDue()).toBe(1);
    expect(await readJobs()).toMatchObject([{ state: 'ready', interruptions: 0 }]);
  });
});
