/** @module-tag both-databases */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { z } from 'zod';
import { findBulkInterval } from '#contract/rules/mail-pace.ts';
import { HOUR, MINUTE, SECOND } from '#contract/rules/time.ts';
import { changeSettings } from '../db/settings.ts';
import { createPacedMail } from '../ports/mail/mail-pace.ts';
import type { Mail } from '../ports/mail/mail.ts';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { createTestClock, createTestWorker, type TestClock } from '../testing/test-worker.ts';
import { estimateBulkMail } from './bulk-mail.ts';
import { defineJob } from './define-job.ts';
import { probeQueue } from './jobs-handle.ts';
import type { Lane } from './lanes.ts';
import { claimNext } from './leases.ts';
import { enqueue } from './queue.ts';
import type { WorkerDeps } from './run-job.ts';

const INTERVAL = findBulkInterval(300);

let database: TestDatabase;
let clock: TestClock;
let mail: Mail;
let sent: number[];
beforeEach(async () => {
  database = await createTestDatabase();
  clock = createTestClock();
  sent = [];
  const port = { send: async () => void sent.push(clock.time), close: () => undefined };
  mail = createPacedMail(port, { database, clock });
  await changeSettings(database.db, { mailsPerHour: 300 }, clock.time);
});
afterEach(() => database.close());

const message = { to: 'a@example.com', subject: 'Hi', text: 'Hi', html: '<p>Hi</p>' };
const define = (name: string, lane: Lane, run = () => mail.send(message)) =>
  defineJob({ name, lane, payload: z.object({}), run: (_deps: WorkerDeps) => run() });
const letter = define('letter', 'bulk-mail');
const reset = define('reset', 'urgent-mail');

const add = async (job: typeof letter, count: number) => {
  for (let index = 0; index < count; index += 1)
    await enqueue(database.db, job, {}, { now: clock.time });
};
const countWaiting = async () =>
  (await database.db.selectFrom('jobs').select('id').execute()).length;

it('two workers keep to the pace together, however often they look', async () => {
  await add(letter, 40);
  const workers = ['a', 'b'].map(() => createTestWorker(database, clock, [letter]).worker);
  const start = clock.time;
  while (clock.time < start + 5 * MINUTE) {
    await Promise.all(workers.map((worker) => worker.runDue()));
    clock.time += SECOND;
  }
  const elapsed = clock.time - start + MINUTE;
  expect(sent.length).toBeLessThanOrEqual(1 + elapsed / INTERVAL);
  expect(sent.length).toBeGreaterThan(elapsed / INTERVAL - 1);
  const rows = await database.db.selectFrom('jobs').select('attempts').execute();
  expect(new Set(rows.map(({ attempts }) => attempts))).toEqual(new Set([0]));
});

it('jobs that run already count, so that a second worker claims no more', async () => {
  await add(letter, 40);
  const times = { now: clock.time, leaseMs: HOUR };
  const claim = () => claimNext(database, { lane: 'bulk-mail', names: ['letter'] }, times);
  const claims = await Promise.all(Array.from({ length: 20 }, claim));
  expect(claims.filter(Boolean)).toHaveLength(Math.floor(MINUTE / INTERVAL) + 1);
});

it('what is urgent goes out at once, and mail to many makes up for it', async () => {
  const { worker } = createTestWorker(database, clock, [letter, reset]);
  await add(letter, 40);
  await worker.runDue();
  await add(reset, 30);
  await worker.runDue();
  const before = sent.length;
  expect(await countWaiting()).toBe(40 + 30 - before);
  clock.time += 30 * INTERVAL - MINUTE;
  await worker.runDue();
  expect(sent.length).toBe(before);
  clock.time += MINUTE + INTERVAL;
  await worker.runDue();
  expect(sent.length).toBeGreaterThan(before);
});

it('a job that turns out to have nothing to send uses up nothing', async () => {
  const skipped = define('skipped', 'bulk-mail', async () => undefined);
  const { worker } = createTestWorker(database, clock, [skipped]);
  await add(skipped, 100);
  expect(await worker.runDue()).toBe(100);
});

it('without a limit nothing waits', async () => {
  await changeSettings(database.db, { mailsPerHour: 0 }, clock.time);
  const { worker } = createTestWorker(database, clock, [letter]);
  await add(letter, 100);
  expect(await worker.runDue()).toBe(100);
  expect(await estimateBulkMail({ database, clock }, 1000)).toBeNull();
});

it('estimates how long it takes, after what waits already', async () => {
  expect(await estimateBulkMail({ database, clock }, 1000)).toBe(1000 * INTERVAL);
  await add(letter, 100);
  await createTestWorker(database, clock, [letter]).worker.runDue();
  const waiting = await countWaiting();
  const estimate = await estimateBulkMail({ database, clock }, 1000);
  expect(estimate).toBeGreaterThanOrEqual((waiting + 1000) * INTERVAL);
  expect(estimate).toBeLessThan((waiting + 1001) * INTERVAL);
});

it('forgets at most an hour’s mails, also those of a clock that was fast', async () => {
  for (let index = 0; index < 600; index += 1) await mail.send(message);
  expect(await estimateBulkMail({ database, clock }, 0)).toBeLessThanOrEqual(HOUR + INTERVAL);
  clock.time -= 24 * HOUR;
  expect(await estimateBulkMail({ database, clock }, 0)).toBe(0);
  await mail.send(message);
  expect(await estimateBulkMail({ database, clock }, 0)).toBe(0);
});

it('mail that waits for its turn is no worker that stands still', async () => {
  await add(letter, 400);
  await createTestWorker(database, clock, [letter]).worker.runDue();
  for (let index = 0; index < 600; index += 1) await mail.send(message);
  clock.time += 30 * MINUTE;
  expect(await probeQueue(database.db, clock.time)).toMatchObject({ status: 'ok' });
  clock.time += HOUR;
  expect(await probeQueue(database.db, clock.time)).toMatchObject({ status: 'degraded' });
});
