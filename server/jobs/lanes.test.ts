/** @module-tag both-databases */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { z } from 'zod';
import { jobList } from '../job-list.ts';
import { MAIL_CONNECTIONS } from '../ports/mail/mail.ts';
import { findFullScans, recordPlan } from '../testing/explain.ts';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { createTestClock, createTestWorker, type TestClock } from '../testing/test-worker.ts';
import { defineJob, type RunningJob } from './define-job.ts';
import { LANES, type Lane } from './lanes.ts';
import { claimNext, listDueLanes } from './leases.ts';
import { enqueue } from './queue.ts';
import type { WorkerDeps } from './run-job.ts';

let database: TestDatabase;
let clock: TestClock;
beforeEach(async () => {
  database = await createTestDatabase();
  clock = createTestClock();
});
afterEach(() => database.close());

const define = (name: string, lane: Lane, run: (job: RunningJob) => Promise<void>) =>
  defineJob({
    name,
    lane,
    payload: z.object({}),
    run: (_deps: WorkerDeps, _payload, job) => run(job),
  });

const add = async (job: ReturnType<typeof define>, count = 1) => {
  for (let index = 0; index < count; index += 1)
    await enqueue(database.db, job, {}, { now: clock.now() });
};

it('a lane in which every job hangs, with hundreds waiting, holds up no other lane', async () => {
  const hanging = Promise.withResolvers<void>();
  const stuck = (['bulk-mail', 'mail', 'files', 'payments'] as const).map((lane) =>
    define(`stuck-in-${lane}`, lane, () => hanging.promise),
  );
  const reset = Promise.withResolvers<void>();
  const upload = Promise.withResolvers<void>();
  const ingest = Promise.withResolvers<void>();
  const waited = [
    define('reset', 'urgent-mail', async () => reset.resolve()),
    define('upload', 'uploads', async () => upload.resolve()),
    define('ingest', 'media', async () => ingest.resolve()),
  ];
  const jobs = [...stuck, ...waited];
  const { worker } = createTestWorker(database, clock, jobs);
  for (const job of stuck) await add(job, 60);
  await worker.start();
  clock.time += 1;
  for (const job of waited) await add(job);
  worker.wake();
  await Promise.all([reset.promise, upload.promise, ingest.promise]);
  const running = async () =>
    (
      await database.db.selectFrom('jobs').select('lane').where('state', '=', 'running').execute()
    ).filter(({ lane }) => lane === 'bulk-mail');
  expect(await running()).toHaveLength(LANES['bulk-mail']);
  await worker.stop({ limitMs: 0 });
  hanging.resolve();
});

it('a job of an earlier version moves to its lane when a worker starts', async () => {
  const job = define('reset-again', 'urgent-mail', async () => undefined);
  await add(job);
  await database.db.updateTable('jobs').set({ lane: 'forgotten' }).execute();
  const { worker } = createTestWorker(database, clock, [job]);
  expect(await worker.runDue()).toBe(0);
  await worker.start();
  await worker.stop();
  expect(await database.db.selectFrom('jobs').select('id').execute()).toEqual([]);
});

it('a claim and the look before it read an index, however long the queue is', async () => {
  const lanes = Object.keys(LANES) as Lane[];
  const now = clock.now();
  const steps = await recordPlan(database, async () => {
    await listDueLanes(database.db, lanes, now);
    await claimNext(database, { lane: 'media', names: ['a', 'b'] }, { now, leaseMs: 1 });
  });
  expect(findFullScans(steps, 'jobs')).toEqual([]);
  expect(steps.filter(({ access }) => access === 'walk')).toEqual([]);
});

it('every job that sends e-mail finds a connection to the mail server free', () => {
  const slots = LANES['urgent-mail'] + LANES.mail + LANES['bulk-mail'];
  expect(slots).toBeLessThan(MAIL_CONNECTIONS);
});

/** A new job belongs here: what must it never wait for? */
it('every job has the lane of its kind of work', () => {
  const lanes: Partial<Record<Lane, string[]>> = {};
  for (const { name, lane } of jobList) (lanes[lane] ??= []).push(name);
  expect(lanes['bulk-mail']?.toSorted()).toEqual([
    'send-invitation',
    'send-letter-mail',
    'send-release-mail',
    'tell-file-change',
  ]);
  expect(lanes.mail?.toSorted()).toEqual([
    'send-billing-message',
    'send-gift-mail',
    'send-gifts',
    'send-helper-invitation',
    'send-issue-mail',
    'send-letters',
  ]);
  expect(lanes['urgent-mail']).toContain('send-password-reset');
  expect(lanes.uploads).toContain('complete-upload');
  expect(lanes.media).toContain('ingest-track');
  expect(lanes.clips).toEqual(['cut-clip']);
  expect(lanes.payments).toContain('settle-reported-payment');
  expect(lanes.outside).toEqual(['forward-events', 'read-returned-mail']);
  expect(lanes.scrobbles).toEqual(['submit-listens', 'submit-playing-now']);
  expect(lanes.notices?.toSorted()).toEqual(['push-attention-notice', 'push-release-notice']);
  expect(lanes.watch).toEqual(['check-site']);
  const mails = jobList.filter(({ name }) => name.startsWith('send-'));
  for (const { lane } of mails) expect(lane).toMatch(/mail$/);
  const ofFiles = /file(?!-end)|avatar|cover|upload|clip/;
  expect(lanes.housekeeping?.filter((name) => ofFiles.test(name))).toEqual([]);
});
