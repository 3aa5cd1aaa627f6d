/** @module-tag both-databases */
import { expect, it } from 'vitest';
import { z } from 'zod';
import { createTestDatabase } from '../testing/test-database.ts';
import { createTestClock, createTestWorker } from '../testing/test-worker.ts';
import { defineJob, listDefinedJobs, type Job } from './define-job.ts';
import { enqueue } from './queue.ts';
import { createWorker } from './worker.ts';

const define = (name: string): Job<Record<string, never>, unknown> =>
  defineJob({ name, payload: z.object({}), run: async () => undefined });

const send = define('send');
const render = define('render');

it('doesn’t start a worker if a defined job is missing from its list', async () => {
  const database = await createTestDatabase();
  const { deps } = createTestWorker(database, createTestClock(), []);
  expect(listDefinedJobs()).toEqual([send, render]);
  expect(() => createWorker({ deps, jobs: [send] })).toThrow(
    'No worker runs "render". Add the missing jobs to the job list.',
  );
  expect(() => createWorker({ deps, jobs: [send, render] })).not.toThrow();
  await database.close();
});

it('doesn’t start a worker if two jobs have the same name', async () => {
  const database = await createTestDatabase();
  const twice = [send, { ...send }];
  expect(() => createTestWorker(database, createTestClock(), twice)).toThrow(
    'Two jobs are called "send".',
  );
  await database.close();
});

it('leaves jobs without a handler alone and logs a warning', async () => {
  const database = await createTestDatabase();
  const clock = createTestClock();
  await enqueue(database.db, render, {}, { now: clock.now() });
  const { worker, lines } = createTestWorker(database, clock, [send]);
  await worker.start();
  expect(await worker.runDue()).toBe(0);
  await worker.stop();
  expect(lines).toEqual([
    {
      level: 'warn',
      message: 'Ignoring jobs without a handler.',
      details: { jobs: ['render'] },
    },
  ]);
  const row = await database.db.selectFrom('jobs').selectAll().executeTakeFirst();
  expect(row).toMatchObject({ name: 'render', state: 'ready', attempts: 0 });
  await database.close();
});
