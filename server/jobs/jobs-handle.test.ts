/** @module-tag both-databases */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { z } from 'zod';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import {
  createTestClock,
  createTestWorker,
  NO_SLOTS,
  type TestWorker,
} from '../testing/test-worker.ts';
import { defineJob } from './define-job.ts';
import { createJobsHandle } from './jobs-handle.ts';
import { enqueue } from './queue.ts';
import { DAY, MINUTE } from '#contract/rules/time.ts';

const FIVE_MINUTES = 5 * MINUTE;

const fail = defineJob({
  name: 'fail',
  payload: z.object({}),
  maxAttempts: 1,
  run: () => Promise.reject(new Error('It failed.')),
});

let database: TestDatabase;
const clock = createTestClock();
let test: TestWorker;
beforeEach(async () => {
  database = await createTestDatabase();
  // Nothing is started by the loop itself, so that jobs can be seen waiting.
  test = createTestWorker(database, clock, [fail], { slots: NO_SLOTS });
});
afterEach(() => database.close());

it('is an error while the loop is not running', async () => {
  const handle = createJobsHandle();
  expect(await handle.probe()).toMatchObject({ status: 'error' });
  handle.attach(test.worker);
  expect(await handle.probe()).toMatchObject({ status: 'error' });
  await test.worker.start();
  expect(await handle.probe()).toMatchObject({ status: 'ok' });
  await test.worker.stop();
  expect(await handle.probe()).toMatchObject({ status: 'error' });
});

it('is degraded once a job has been due for more than five minutes', async () => {
  await test.worker.start();
  const now = clock.now();
  await enqueue(database.db, fail, {}, { now, runAt: now - FIVE_MINUTES });
  await enqueue(database.db, fail, {}, { now, runAt: now + FIVE_MINUTES });
  expect(await test.worker.probe()).toMatchObject({ status: 'ok' });
  await enqueue(database.db, fail, {}, { now, runAt: now - FIVE_MINUTES - 1 });
  expect(await test.worker.probe()).toEqual({
    status: 'degraded',
    detail: 'A job has been waiting for 5 minutes.',
  });
  await test.worker.stop();
});

it('is degraded for a day after a job failed permanently', async () => {
  await test.worker.start();
  await enqueue(database.db, fail, {}, { now: clock.now() });
  await test.worker.runDue();
  expect(await test.worker.probe()).toEqual({
    status: 'degraded',
    detail: 'Jobs that failed within the last day: 1.',
  });
  clock.time += DAY - 1;
  expect(await test.worker.probe()).toMatchObject({ status: 'degraded' });
  clock.time += 1;
  expect(await test.worker.probe()).toMatchObject({ status: 'ok' });
  await test.worker.stop();
});
