/** @module-tag both-databases */
import fc from 'fast-check';
import { HOUR } from '#contract/rules/time.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { chooseCases } from '#tools/testing/random-runs.ts';
import { z } from 'zod';
import type { JobsTable } from '../db/types/tables.ts';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import {
  createTestClock,
  createTestWorker,
  LEASE_MS,
  POLL_MS,
  RENEWAL_MS,
  type TestClock,
} from '../testing/test-worker.ts';
import { defineJob, type Job, type RunningJob } from './define-job.ts';
import { claimNext, MAX_INTERRUPTIONS, type Claim } from './leases.ts';
import { completeJob, failJob, LeaseLostError, recoverJobs } from './outcome.ts';
import { enqueue } from './queue.ts';
import type { WorkerDeps } from './run-job.ts';

let database: TestDatabase;
let clock: TestClock;
beforeEach(async () => {
  database = await createTestDatabase();
  clock = createTestClock();
});
afterEach(() => database.close());

type TestJob = Job<Record<string, never>, WorkerDeps>;
const define = (run: (job: RunningJob) => Promise<void>): TestJob =>
  defineJob({
    name: 'work',
    payload: z.record(z.string(), z.never()),
    maxAttempts: 3,
    run: (_deps: WorkerDeps, _payload, job) => run(job),
  });

const readJob = (): Promise<JobsTable | undefined> =>
  database.db.selectFrom('jobs').selectAll().executeTakeFirst();
const add = (job: TestJob): Promise<string | null> =>
  enqueue(database.db, job, {}, { now: clock.now() });
const claim = (): Promise<Claim | null> =>
  claimNext(
    database,
    { lane: 'housekeeping', names: ['work'] },
    { now: clock.now(), leaseMs: LEASE_MS },
  );
const idle = define(async () => undefined);

/** A job that waits until the test releases it, and a promise that resolves when it has started. */
const defineBlockedJob = (
  afterwards: (job: RunningJob) => Promise<void> = async () => undefined,
): { job: TestJob; started: Promise<RunningJob>; release: () => void } => {
  const started = Promise.withResolvers<RunningJob>();
  const blocked = Promise.withResolvers<void>();
  const job = define(async (running) => {
    started.resolve(running);
    await blocked.promise;
    await afterwards(running);
  });
  return { job, started: started.promise, release: () => blocked.resolve() };
};

describe('a lease', () => {
  it('that expired goes to another worker, and the first one can’t complete the job', async () => {
    let effects = 0;
    const blocked = defineBlockedJob((running) =>
      running.finish(async () => {
        effects += 1;
      }),
    );
    await add(blocked.job);
    const slow = createTestWorker(database, clock, [blocked.job]);
    const slowRun = slow.worker.runDue();
    await blocked.started;
    clock.time += LEASE_MS;
    const other = createTestWorker(database, clock, [idle]);
    expect(await other.worker.runDue()).toBe(1);
    blocked.release();
    await slowRun;
    expect(effects).toBe(0);
    expect(slow.lines).toMatchObject([
      { message: 'A job lost its lease; another worker runs it now.' },
    ]);
    expect(await readJob()).toBeUndefined();
  });

  it('is renewed while the job runs', async () => {
    const blocked = defineBlockedJob();
    await add(blocked.job);
    const { worker, pass } = createTestWorker(database, clock, [blocked.job]);
    const run = worker.runDue();
    const running = await blocked.started;
    for (let i = 0; i < 9; i += 1) {
      clock.time += RENEWAL_MS;
      await pass(RENEWAL_MS);
      expect(await createTestWorker(database, clock, [idle]).worker.runDue()).toBe(0);
    }
    expect(running.signal.aborted).toBe(false);
    blocked.release();
    expect(await run).toBe(1);
    expect(await readJob()).toBeUndefined();
  });

  it('aborts the handler’s signal when it’s lost', async () => {
    const blocked = defineBlockedJob();
    await add(blocked.job);
    const { worker, pass } = createTestWorker(database, clock, [blocked.job]);
    const run = worker.runDue();
    const running = await blocked.started;
    clock.time += LEASE_MS;
    await createTestWorker(database, clock, [idle]).worker.runDue();
    await pass(RENEWAL_MS);
    expect(running.signal.reason).toBeInstanceOf(LeaseLostError);
    blocked.release();
    await run;
  });

  it('stops its old worker from failing or completing a job that another worker runs', async () => {
    await add(idle);
    const first = await claim();
    clock.time += LEASE_MS;
    await recoverJobs(database, new Map(), clock.now());
    await claim();
    if (!first) throw new Error('Nothing was claimed.');
    const failure = { now: clock.now(), schedule: null, error: new Error('late'), random: 0 };
    expect(await failJob(database, first, failure)).toBe('lost');
    let effects = 0;
    const completion = {
      now: clock.now(),
      schedule: null,
      effects: async () => {
        effects += 1;
      },
    };
    await expect(completeJob(database, first, completion)).rejects.toThrow(LeaseLostError);
    expect(effects).toBe(0);
    expect(await readJob()).toMatchObject({ state: 'running', attempts: 1, interruptions: 1 });
  });

  it('that ends with its worker is an interruption, which counts as no failure', async () => {
    await add(idle);
    for (let times = 1; times < MAX_INTERRUPTIONS; times += 1) {
      clock.time += HOUR;
      expect(await claim()).toMatchObject({ attempt: 1 });
      clock.time += LEASE_MS;
      const [recovered] = await recoverJobs(database, new Map(), clock.now());
      expect(recovered).toMatchObject({ interruptions: times, isDead: false });
    }
    expect(await readJob()).toMatchObject({ state: 'ready', attempts: 0, interruptions: 19 });
    clock.time += HOUR;
    expect(await createTestWorker(database, clock, [idle]).worker.runDue()).toBe(1);
    expect(await readJob()).toBeUndefined();
  });

  it('starts again at once after a restart, and later and later after many', async () => {
    await add(idle);
    const waits: number[] = [];
    for (let times = 1; times <= 6; times += 1) {
      await claim();
      clock.time += LEASE_MS;
      await recoverJobs(database, new Map(), clock.now());
      const due = (await readJob())?.run_at ?? 0;
      waits.push(Math.max(0, due - clock.now()));
      clock.time = Math.max(clock.time, due);
    }
    expect(waits).toEqual([0, 0, 0, 10_000, 20_000, 40_000]);
  });

  it('isn’t given to a job that ends its worker every time, and the operator is told why', async () => {
    await add(idle);
    const { worker, lines } = createTestWorker(database, clock, [idle]);
    for (let times = 1; times <= MAX_INTERRUPTIONS; times += 1) {
      clock.time += HOUR;
      expect(await claim()).not.toBeNull();
      clock.time += LEASE_MS;
      if (times < MAX_INTERRUPTIONS) await recoverJobs(database, new Map(), clock.now());
    }
    expect(await worker.runDue()).toBe(0);
    expect(lines.map(({ message }) => message)).toContain(
      'Gave up jobs that may be what stops the server.',
    );
    expect(await readJob()).toMatchObject({
      state: 'dead',
      interruptions: 20,
      last_error: expect.stringContaining('stopped 20 times') as string,
    });
  });
});

describe('stopping', () => {
  it('waits for running jobs', async () => {
    const blocked = defineBlockedJob();
    await add(blocked.job);
    const { worker } = createTestWorker(database, clock, [blocked.job]);
    await worker.start();
    await blocked.started;
    const stopped = worker.stop();
    blocked.release();
    await stopped;
    expect(await readJob()).toBeUndefined();
  });

  it('releases jobs that don’t end in time, without counting the attempt', async () => {
    const late = Promise.withResolvers<unknown>();
    const blocked = defineBlockedJob((running) =>
      running.finish().then(() => late.resolve('finished'), late.resolve),
    );
    await add(blocked.job);
    const { worker } = createTestWorker(database, clock, [blocked.job]);
    await worker.start();
    const running = await blocked.started;
    await worker.stop({ limitMs: 0 });
    expect(running.signal.aborted).toBe(true);
    expect(await readJob()).toMatchObject({ state: 'ready', attempts: 0, lease_token: null });

    blocked.release();
    expect(await late.promise).toBeInstanceOf(LeaseLostError);
    expect(await createTestWorker(database, clock, [idle]).worker.runDue()).toBe(1);
  });

  it('waits for a running poll, which may still query the database', async () => {
    const { worker, pass } = createTestWorker(database, clock, [idle]);
    await worker.start();
    const events: string[] = [];
    const asked = Promise.withResolvers<void>();
    const blocked = Promise.withResolvers<void>();
    const { db } = database;
    const slow = db.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        asked.resolve();
        await blocked.promise;
        return result;
      },
    });
    Object.assign(database, { db: slow });
    const polled = pass(POLL_MS).then(() => events.push('polled'));
    await asked.promise;
    Object.assign(database, { db });
    const stopped = worker.stop().then(() => events.push('stopped'));
    await readJob();
    blocked.resolve();
    await Promise.all([polled, stopped]);
    expect(events).toEqual(['polled', 'stopped']);
  });

  it('claims no job afterwards', async () => {
    const { worker } = createTestWorker(database, clock, [idle]);
    await worker.start();
    await worker.stop();
    await add(idle);
    worker.wake();
    await expect(worker.start()).rejects.toThrow('A worker can only be started once.');
    expect(await readJob()).toMatchObject({ state: 'ready', attempts: 0 });
  });
});

it('completes at most once, in whatever order workers claim, stall, fail and complete', async () => {
  const step = fc.record({
    worker: fc.integer({ min: 0, max: 2 }),
    action: fc.constantFrom('claim', 'stall', 'fail', 'complete'),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 30 }), async (steps) => {
      await database.db.deleteFrom('jobs').execute();
      await add(idle);
      const holds = new Map<number, Claim>();
      let current: Claim | null = null;
      let completions = 0;
      for (const { worker, action } of steps) {
        const hold = holds.get(worker);
        const now = clock.now();
        if (action === 'stall') {
          clock.time += LEASE_MS;
          await recoverJobs(database, new Map(), clock.now());
          current = null;
        } else if (action === 'claim') {
          const claimed = await claim();
          if (claimed) expect(current).toBeNull();
          if (claimed) holds.set(worker, claimed);
          current = claimed ?? current;
        } else if (hold && action === 'fail') {
          const failure = { now, schedule: null, error: 'no', random: 0 };
          const outcome = await failJob(database, hold, failure);
          expect(outcome !== 'lost').toBe(hold === current);
          if (hold === current) current = null;
        } else if (hold) {
          const effects = async (): Promise<void> => {
            completions += 1;
          };
          const done = completeJob(database, hold, { now, schedule: null, effects });
          if (hold === current) await done;
          else await expect(done).rejects.toThrow(LeaseLostError);
          if (hold === current) current = null;
        }
      }
      expect(completions).toBe((await readJob()) ? 0 : 1);
    }),
    { numRuns: chooseCases(25, 1000) },
  );
});
