/** @module-tag both-databases */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { z } from 'zod';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { createTestClock, createTestWorker, type TestClock } from '../testing/test-worker.ts';
import { defineJob } from './define-job.ts';
import { enqueue } from './queue.ts';

let database: TestDatabase;
let clock: TestClock;
let greeted: string[];

beforeEach(async () => {
  database = await createTestDatabase();
  clock = createTestClock();
  greeted = [];
});
afterEach(() => database.close());

const greet = defineJob({
  name: 'greet',
  payload: z.object({ name: z.string().min(1) }),
  maxAttempts: 1,
  run: async (_deps, { name }) => {
    if (name === 'trouble') throw new Error('No greeting for trouble.');
    greeted.push(name);
  },
});

const runDue = (): Promise<number> => createTestWorker(database, clock, [greet]).worker.runDue();
const countJobs = async (): Promise<number> =>
  (await database.db.selectFrom('jobs').select('id').execute()).length;

it('runs an enqueued job and deletes it', async () => {
  const id = await enqueue(database.db, greet, { name: 'Thandi' }, { now: clock.now() });
  expect(id).toMatch(/^\w{26}$/);
  expect(await runDue()).toBe(1);
  expect(greeted).toEqual(['Thandi']);
  expect(await countJobs()).toBe(0);
});

it('enqueues within the caller’s transaction', async () => {
  const failing = database.db.transaction().execute(async (tx) => {
    await enqueue(tx, greet, { name: 'Thandi' }, { now: clock.now() });
    throw new Error('The order was refused.');
  });
  await expect(failing).rejects.toThrow('The order was refused.');
  expect(await countJobs()).toBe(0);
});

it('rejects a payload that doesn’t match the schema', async () => {
  const wrong = enqueue(database.db, greet, { name: '' }, { now: clock.now() });
  await expect(wrong).rejects.toThrow(z.ZodError);
  expect(await countJobs()).toBe(0);
});

it('rejects a payload that JSON would change', async () => {
  const remind = defineJob({
    name: 'remind',
    payload: z.object({ at: z.date() }),
    run: async () => undefined,
  });
  const wrong = enqueue(database.db, remind, { at: new Date(0) }, { now: clock.now() });
  await expect(wrong).rejects.toThrow(z.ZodError);
});

it('checks the payload again when it runs', async () => {
  await enqueue(database.db, greet, { name: 'Thandi' }, { now: clock.now() });
  await database.db.updateTable('jobs').set({ payload: '{"name":7}' }).execute();
  await runDue();
  expect(greeted).toEqual([]);
  const row = await database.db.selectFrom('jobs').selectAll().executeTakeFirstOrThrow();
  expect(row).toMatchObject({ state: 'dead', last_error: expect.stringContaining('name') });
});

it('runs jobs when they are due, in that order', async () => {
  const now = clock.now();
  await enqueue(database.db, greet, { name: 'later' }, { now, runAt: now + 20 });
  await enqueue(database.db, greet, { name: 'soon' }, { now, runAt: now + 10 });
  clock.time = now + 9;
  expect(await runDue()).toBe(0);
  clock.time = now + 20;
  await runDue();
  expect(greeted).toEqual(['soon', 'later']);
});

it('drops a second one with the same key while the first is waiting', async () => {
  const options = { now: clock.now(), uniqueKey: 'one' };
  expect(await enqueue(database.db, greet, { name: 'first' }, options)).not.toBeNull();
  expect(await enqueue(database.db, greet, { name: 'second' }, options)).toBeNull();
  expect(await enqueue(database.db, greet, { name: 'other' }, { now: clock.now() })).not.toBeNull();
  await runDue();
  expect(greeted.toSorted()).toEqual(['first', 'other']);
  expect(await enqueue(database.db, greet, { name: 'third' }, options)).not.toBeNull();
});

it('drops a second one with the same key while the first is running', async () => {
  const results: (string | null)[] = [];
  const options = { now: clock.now(), uniqueKey: 'one' };
  const repeat = defineJob({
    name: 'repeat',
    payload: z.object({}),
    run: async () => {
      results.push(await enqueue(database.db, greet, { name: 'again' }, options));
    },
  });
  await enqueue(database.db, repeat, {}, options);
  await createTestWorker(database, clock, [repeat]).worker.runDue();
  expect(results).toEqual([null]);
});

it('isn’t blocked by a dead job with the same key', async () => {
  const options = { now: clock.now(), uniqueKey: 'one' };
  await enqueue(database.db, greet, { name: 'trouble' }, options);
  await runDue();
  expect(await enqueue(database.db, greet, { name: 'Thandi' }, options)).not.toBeNull();
  await runDue();
  expect(greeted).toEqual(['Thandi']);
});
