/** @module-tag both-databases */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { recordJob, type RecordDeps } from '../testing/record-job.ts';
import { startChild } from '../testing/start-child.ts';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { enqueue } from './queue.ts';
import { createWorker, type Worker } from './worker.ts';

const NOW = 1_800_000_000_000;
const LEASE_MS = 60_000;

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.close());

const log = { info: () => undefined, warn: () => undefined, error: console.error };

const createSurvivor = (now: number): Worker => {
  const deps: RecordDeps = {
    database,
    log,
    clock: { now: () => now },
    hangAt: null,
    recordedBy: 'survivor',
    onHang: () => undefined,
  };
  return createWorker({ deps, jobs: [recordJob], leaseMs: LEASE_MS });
};

const readRecords = async (): Promise<{ id: string; by: string }[]> =>
  database.db.selectFrom('outbox').select(['id', 'recipient as by']).orderBy('id').execute();

/** PostgreSQL notices a little later that the client is gone; an ordinary write waits for that. */
const waitForLocks = async (): Promise<void> => {
  await database.db
    .updateTable('jobs')
    .set((eb) => ({ updated_at: eb.ref('updated_at') }))
    .execute();
};

it.each(['run', 'finish'] as const)(
  'completes a job once after its worker was killed (%s)',
  async (hangAt) => {
    const id = await enqueue(database.db, recordJob, {}, { now: NOW });
    const child = await startChild({
      settings: database.settings,
      now: NOW,
      do: { kind: 'work', hangAt, name: 'victim' },
    });
    child.go();
    expect(await child.readMessage()).toEqual({ kind: 'hanging' });
    await child.kill();
    await waitForLocks();

    expect(await readRecords()).toEqual([]);
    const row = await database.db.selectFrom('jobs').selectAll().executeTakeFirstOrThrow();
    expect(row).toMatchObject({ id, state: 'running', attempts: 1 });

    expect(await createSurvivor(NOW + LEASE_MS - 1).runDue()).toBe(0);
    const after = createSurvivor(NOW + LEASE_MS);
    expect(await after.runDue()).toBe(1);
    expect(await after.runDue()).toBe(0);
    expect((await readRecords()).map((record) => ({ ...record }))).toEqual([
      { id, by: 'survivor' },
    ]);
    expect(await database.db.selectFrom('jobs').select('id').execute()).toEqual([]);
  },
);

it('shares jobs among processes without running any of them twice', async () => {
  const ids: (string | null)[] = [];
  for (let i = 0; i < 40; i += 1) {
    ids.push(await enqueue(database.db, recordJob, {}, { now: NOW + i, runAt: NOW }));
  }
  const children = await Promise.all(
    ['a', 'b', 'c'].map((name) =>
      startChild({
        settings: database.settings,
        now: NOW,
        do: { kind: 'work', hangAt: null, name },
      }),
    ),
  );
  for (const child of children) child.go();
  const messages = await Promise.all(children.map((child) => child.readMessage()));
  const runs = messages.map((message) => (message.kind === 'worked' ? message.runs : Number.NaN));
  expect(runs.reduce((sum, count) => sum + count)).toBe(40);
  expect((await readRecords()).map((record) => record.id)).toEqual(ids);
});
