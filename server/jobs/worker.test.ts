/** @module-tag both-databases */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { JobsTable } from '../db/types/tables.ts';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import {
  createTestClock,
  createTestWorker,
  POLL_MS,
  type TestClock,
} from '../testing/test-worker.ts';
import type { Tx } from '../db/connect.ts';
import { backoffDelay } from './backoff.ts';
import { defineJob, defineSchedule, type Job, type RunningJob } from './define-job.ts';
import { LANES } from './lanes.ts';
import { enqueue } from './queue.ts';
import type { WorkerDeps } from './run-job.ts';

let database: TestDatabase;
let clock: TestClock;
beforeEach(async () => {
  database = await createTestDatabase();
  clock = createTestClock();
});
afterEach(() => database.close());

type Handler = (job: RunningJob) => Promise<void>;
type TestJob = Job<{ n?: number | undefined }, WorkerDeps>;
const define = (run: Handler, maxAttempts = 3): TestJob =>
  defineJob({
    name: 'work',
    payload: z.object({ n: z.number().optional() }),
    maxAttempts,
    run: (_deps: WorkerDeps, _payload, job) => run(job),
  });

const readJobs = (): Promise<JobsTable[]> => database.db.selectFrom('jobs').selectAll().execute();
const readMarks = async (): Promise<string[]> =>
  (await database.db.selectFrom('rate_limits').select('key').execute()).map((row) => row.key);
const mark = async (tx: Tx, key: string): Promise<void> => {
  await tx.insertInto('rate_limits').values({ key, tat: 0 }).execute();
};
const add = (job: TestJob): Promise<string | null> =>
  enqueue(database.db, job, {}, { now: clock.now() });

describe('finishing', () => {
  it('commits the effects and deletes the job together', async () => {
    const job = define((running) => running.finish((tx) => mark(tx, 'done')));
    await add(job);
    await createTestWorker(database, clock, [job]).worker.runDue();
    expect(await readMarks()).toEqual(['done']);
    expect(await readJobs()).toEqual([]);
  });

  it('rolls the effects back when they fail, and retries', async () => {
    const job = define((running) =>
      running.finish(async (tx) => {
        await mark(tx, `attempt ${running.attempt}`);
        if (running.attempt === 1) throw new Error('The second write failed.');
      }),
    );
    await add(job);
    const { worker } = createTestWorker(database, clock, [job]);
    await worker.runDue();
    expect(await readMarks()).toEqual([]);
    expect(await readJobs()).toMatchObject([
      { state: 'ready', attempts: 1, last_error: 'The second write failed.' },
    ]);
    clock.time += backoffDelay(1, 0);
    await worker.runDue();
    expect(await readMarks()).toEqual(['attempt 2']);
  });

  it('doesn’t count a failed finish as success when the handler swallows the error', async () => {
    const job = define((running) =>
      running.finish(() => Promise.reject(new Error('The write failed.'))).catch(() => undefined),
    );
    await add(job);
    await createTestWorker(database, clock, [job]).worker.runDue();
    expect(await readJobs()).toMatchObject([{ state: 'ready', last_error: 'The write failed.' }]);
  });

  it('happens once, whatever the handler does afterwards', async () => {
    const job = define(async (running) => {
      await running.finish((tx) => mark(tx, 'first'));
      await running.finish((tx) => mark(tx, 'second'));
    });
    await add(job);
    const { worker, lines } = createTestWorker(database, clock, [job]);
    expect(await worker.runDue()).toBe(1);
    expect(await readMarks()).toEqual(['first']);
    expect(await readJobs()).toEqual([]);
    expect(lines.map((line) => line.level)).toEqual(['warn']);
  });
});

describe('failing', () => {
  it('waits longer after each attempt and leaves a dead job', async () => {
    const job = define((running) => Promise.reject(new Error(`No ${running.attempt}.`)));
    await add(job);
    const { worker, lines } = createTestWorker(database, clock, [job]);
    for (const attempt of [1, 2]) {
      expect(await worker.runDue()).toBe(1);
      const runAt = clock.now() + backoffDelay(attempt, 0);
      expect(await readJobs()).toMatchObject([
        { state: 'ready', attempts: attempt, run_at: runAt, last_error: `No ${attempt}.` },
      ]);
      clock.time = runAt - 1;
      expect(await worker.runDue()).toBe(0);
      clock.time = runAt;
    }
    expect(await worker.runDue()).toBe(1);
    const buried = { state: 'dead', attempts: 3, last_error: 'No 3.', lease_token: null };
    expect(await readJobs()).toMatchObject([buried]);
    clock.time += 10 ** 8;
    expect(await worker.runDue()).toBe(0);
    expect(lines.map((line) => line.level)).toEqual(['warn', 'warn', 'error']);
  });
});

describe('the loop', () => {
  it('starts jobs when woken and when it polls, a limited number at a time', async () => {
    const started: { id: string; end: () => void }[] = [];
    let onStart = (): void => undefined;
    const untilStarted = async (count: number): Promise<void> => {
      while (started.length < count) {
        await new Promise<void>((resolve) => {
          onStart = resolve;
        });
      }
    };
    let running = 0;
    let most = 0;
    const job = define(async ({ id }) => {
      running += 1;
      most = Math.max(most, running);
      await new Promise<void>((resolve) => {
        started.push({ id, end: resolve });
        onStart();
      });
      running -= 1;
    });
    const { worker, pass } = createTestWorker(database, clock, [job], {
      slots: { ...LANES, housekeeping: 2 },
    });
    await worker.start();

    for (let i = 0; i < 3; i += 1) await add(job);
    worker.wake();
    await untilStarted(2);
    expect((await readJobs()).filter((row) => row.state === 'running')).toHaveLength(2);
    started[0]?.end();
    await untilStarted(3);

    await add(job);
    started[1]?.end();
    await pass(POLL_MS);
    await untilStarted(4);
    for (const { end } of started) end();
    await worker.stop();
    expect(most).toBe(2);
    expect(await readJobs()).toEqual([]);
  });

  /** Every query fails, as without a server. */
  function loseDatabase(): () => void {
    const { db } = database;
    const get = (): never => {
      throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    };
    Object.defineProperty(database, 'db', { get, configurable: true });
    return () =>
      void Object.defineProperty(database, 'db', { value: db, configurable: true, writable: true });
  }

  it('continues after a database error', async () => {
    const job = define(async () => undefined);
    const { worker, lines, pass } = createTestWorker(database, clock, [job]);
    await worker.start();
    const restore = loseDatabase();
    await pass(POLL_MS);
    restore();
    await add(job);
    await pass(POLL_MS);
    await worker.stop();
    expect(lines.some((line) => line.level === 'error')).toBe(true);
    expect(await readJobs()).toEqual([]);
  });

  it('starts without a database, and with its schedules as soon as that is back', async () => {
    let runs = 0;
    const job = defineSchedule({
      name: 'tidy',
      everyMs: 60_000,
      maxAttempts: 1,
      run: async () => void (runs += 1),
    });
    const restore = loseDatabase();
    const { worker, lines, pass } = createTestWorker(database, clock, [job]);
    await worker.start();
    restore();
    expect([runs, lines.some((line) => line.level === 'error')]).toEqual([0, true]);
    await pass(POLL_MS);
    await worker.stop();
    expect(runs).toBe(1);
  });
});
