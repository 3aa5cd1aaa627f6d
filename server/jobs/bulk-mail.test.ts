/** @module-tag both-databases */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { findBulkInterval } from '#contract/rules/mail-pace.ts';
import { HOUR, MINUTE, SECOND } from '#contract/rules/time.ts';
import { changeSettings } from '../db/settings.ts';
import { AddressRefused, forgetRefusal } from '../ports/mail/refused-addresses.ts';
import { createSiteMail } from '../ports/mail/site-mail.ts';
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
/** What the mail server answers instead of taking a mail. */
let answer: { command: string; response: string } | null;
beforeEach(async () => {
  answer = null;
  database = await createTestDatabase();
  clock = createTestClock();
  sent = [];
  const send = async () => {
    if (answer) throw Object.assign(new Error(answer.response), answer);
    sent.push(clock.time);
  };
  mail = createSiteMail({ send, close: () => undefined }, { database, clock });
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

describe('a mail server that is over its limit', () => {
  beforeEach(() => changeSettings(database.db, { mailsPerHour: 0 }, clock.time));
  const readJob = () =>
    database.db
      .selectFrom('jobs')
      .selectAll()
      .where('name', '=', 'letter')
      .executeTakeFirstOrThrow();

  it('makes mail to many wait as long as it says, at the cost of no attempt', async () => {
    const { worker } = createTestWorker(database, clock, [letter, reset]);
    answer = {
      command: 'RCPT TO',
      response: '421 4.7.0 Too many messages, try again in 7 minutes',
    };
    await add(letter, 3);
    expect(await worker.runDue()).toBe(1);
    clock.time += 7 * MINUTE - 1;
    answer = null;
    await add(reset, 1);
    expect(await worker.runDue()).toBe(1);
    expect(sent).toEqual([clock.time]);
    expect(await readJob()).toMatchObject({ state: 'ready', attempts: 0 });
    clock.time += 1;
    expect(await worker.runDue()).toBe(3);
    expect(sent).toHaveLength(4);
  });

  it('is asked again after ever longer pauses when it doesn’t say', async () => {
    const { worker } = createTestWorker(database, clock, [letter]);
    answer = { command: 'MAIL FROM', response: '451 4.7.1 Sending limit exceeded' };
    await add(letter, 1);
    const pauses: number[] = [];
    for (let index = 0; index < 6; index += 1) {
      await worker.runDue();
      const wait = (await readJob()).run_at - clock.time;
      pauses.push(wait / MINUTE);
      clock.time += wait;
    }
    expect(pauses).toEqual([5, 10, 20, 40, 60, 60]);
    expect((await readJob()).attempts).toBe(0);
    answer = null;
    await worker.runDue();
    expect(sent).toHaveLength(1);
    answer = { command: 'MAIL FROM', response: '451 4.7.1 Sending limit exceeded' };
    await add(letter, 1);
    await worker.runDue();
    expect((await readJob()).run_at - clock.time).toBe(5 * MINUTE);
  });

  it('tells the estimate, and isn’t a worker that stands still', async () => {
    const { worker } = createTestWorker(database, clock, [letter]);
    answer = { command: 'DATA', response: '452 4.3.1 Hourly quota reached, retry in 2 hours' };
    await add(letter, 2);
    await worker.runDue();
    expect(await estimateBulkMail({ database, clock }, 10)).toBe(2 * HOUR);
    clock.time += HOUR;
    expect(await probeQueue(database.db, clock.time)).toMatchObject({ status: 'ok' });
  });

  it('doesn’t stop a reset from being tried again and again', async () => {
    const { worker } = createTestWorker(database, clock, [reset]);
    answer = { command: 'RCPT TO', response: '450 4.7.1 Rate limit, try again in 30 minutes' };
    await add(reset, 1);
    await worker.runDue();
    answer = null;
    clock.time += 10 * SECOND;
    await worker.runDue();
    expect(sent).toHaveLength(1);
  });
});

it('a mail server that can’t be reached is asked for one mail at a time, not for each', async () => {
  await changeSettings(database.db, { mailsPerHour: 0 }, clock.time);
  const { worker } = createTestWorker(database, clock, [letter]);
  answer = { command: 'CONN', response: '' };
  await add(letter, 50);
  expect(await worker.runDue()).toBe(1);
  clock.time += MINUTE;
  expect(await worker.runDue()).toBe(1);
  clock.time += MINUTE;
  expect(await worker.runDue()).toBe(0);
  clock.time += MINUTE;
  answer = null;
  expect(await worker.runDue()).toBe(50);
});

describe('an address that refuses mail', () => {
  const refusal = { command: 'RCPT TO', response: '550 5.1.1 User unknown' };

  it('ends the job and tells it, and gets no more mail to many', async () => {
    const dropped: number[] = [];
    const told = defineJob({
      name: 'told',
      lane: 'bulk-mail',
      payload: z.object({}),
      run: (_deps: WorkerDeps) => mail.send(message),
      onDead: async (_tx, _payload, now) => void dropped.push(now),
    });
    const { worker } = createTestWorker(database, clock, [told]);
    answer = refusal;
    await add(told, 1);
    await worker.runDue();
    answer = null;
    await add(told, 1);
    await worker.runDue();
    expect(dropped).toHaveLength(2);
    expect(sent).toEqual([]);
    expect(await countWaiting()).toBe(0);
    expect(await database.db.selectFrom('refused_addresses').selectAll().execute()).toEqual([
      {
        email_key: 'a@example.com',
        refused_at: clock.time,
        reason: '550 5.1.1 User unknown',
        source: 'server',
      },
    ]);
  });

  it('keeps a mail about money for an administrator to see', async () => {
    const receipt = define('receipt', 'mail');
    const { worker } = createTestWorker(database, clock, [receipt]);
    answer = refusal;
    await add(receipt, 1);
    await worker.runDue();
    const job = await database.db.selectFrom('jobs').selectAll().executeTakeFirstOrThrow();
    expect(job).toMatchObject({ state: 'dead', attempts: 1 });
    expect(job.last_error).toContain('550 5.1.1 User unknown');
  });

  it('is still tried with what its owner asks for', async () => {
    answer = refusal;
    await expect(mail.send(message)).rejects.toThrow(AddressRefused);
    answer = null;
    await expect(mail.send(message)).rejects.toThrow(AddressRefused);
    await mail.send(message, { triesRefused: true });
    expect(sent).toHaveLength(1);
    await forgetRefusal(database.db, 'A@example.com');
    await mail.send(message);
    expect(sent).toHaveLength(2);
  });

  it('isn’t one that is only full or greylists: those get the mail later', async () => {
    const { worker } = createTestWorker(database, clock, [letter]);
    answer = { command: 'RCPT TO', response: '452 4.2.2 Mailbox full' };
    await add(letter, 1);
    await worker.runDue();
    clock.time += 10 * SECOND;
    answer = { command: 'RCPT TO', response: '451 4.7.1 Greylisted' };
    await worker.runDue();
    const job = await database.db.selectFrom('jobs').selectAll().executeTakeFirstOrThrow();
    expect(job).toMatchObject({ state: 'ready', attempts: 2, run_at: clock.time + 20 * SECOND });
    clock.time += 20 * SECOND;
    answer = null;
    await worker.runDue();
    expect(sent).toHaveLength(1);
  });
});
