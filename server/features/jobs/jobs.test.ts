/** @module-tag both-databases */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JobItem, ScheduleItem } from '#contract/admin/jobs.ts';
import { buildTrack } from '../../db/build-rows.ts';
import type { JobsTable } from '../../db/types/tables.ts';
import { newId } from '../../db/ids.ts';
import { findFullScans, recordPlan } from '../../testing/explain.ts';
import { createAdmin } from '../../testing/test-admin.ts';
import { createTestApp, type TestApp } from '../../testing/test-app.ts';
import type { TestUser } from '../../testing/test-user.ts';
import { HOUR } from '#contract/rules/time.ts';

let test: TestApp;
let admin: TestUser;
beforeEach(async () => {
  test = await createTestApp();
  admin = await createAdmin(test);
});
afterEach(() => test.close());

async function addJob(change: Partial<JobsTable> = {}): Promise<string> {
  const now = test.clock.now();
  const id = newId(now);
  const job: JobsTable = {
    id,
    name: 'delete-unused-avatar',
    payload: JSON.stringify({ key: 'avatars/secret.webp' }),
    unique_key: null,
    state: 'dead',
    run_at: now,
    attempts: 10,
    max_attempts: 10,
    lane: 'housekeeping',
    interruptions: 0,
    lease_token: null,
    lease_until: null,
    last_error: 'The mail server hung up.',
    created_at: now,
    updated_at: now,
    ...change,
  };
  await test.deps.database.db.insertInto('jobs').values(job).execute();
  return id;
}

async function list(state: string, query = '') {
  const response = await admin.client.request({ url: `/api/admin/jobs?state=${state}${query}` });
  expect(response.statusCode).toBe(200);
  return response.json<{
    items: JobItem[];
    nextCursor: string | null;
    counts: Record<string, number>;
  }>();
}
const decide = (method: 'POST' | 'DELETE', id: string) =>
  admin.client.request({
    method,
    url: `/api/admin/jobs/${id}${method === 'POST' ? '/retry' : ''}`,
  });
const listActions = async () =>
  (await test.deps.database.db.selectFrom('audit_log').select('action').execute()).map(
    ({ action }) => action,
  );

describe('the jobs page', () => {
  it('shows running, waiting and failed jobs with their errors, but not their payloads', async () => {
    const now = test.clock.now();
    await addJob();
    await addJob({ state: 'running', lease_until: now + 1, lease_token: 'x', last_error: null });
    await addJob({ state: 'ready', run_at: now + 5000, attempts: 1 });
    const failed = await list('failed');
    expect(failed.items).toMatchObject([
      {
        name: 'delete-unused-avatar',
        state: 'failed',
        attempts: 10,
        error: 'The mail server hung up.',
      },
    ]);
    expect(failed.counts).toEqual({ running: 1, waiting: 1, failed: 1 });
    expect(JSON.stringify(failed)).not.toContain('secret');
    expect((await list('waiting')).items).toMatchObject([{ runAt: now + 5000, attempts: 1 }]);
    expect((await list('running')).items).toHaveLength(1);
  });

  it('names what jobs work on, and never an address', async () => {
    const now = test.clock.now();
    const track = buildTrack({
      id: newId(now),
      title: 'Night Bus',
      year: 2026,
      week: 46,
      created_at: now,
    });
    await test.deps.database.db.insertInto('tracks').values(track).execute();
    const payloads = [
      { trackId: track.id, runId: 'r' },
      { trackId: 'gone', userId: admin.user.id },
      { userId: 'gone', key: 'k', message: { kind: 'receipt', provider: 'p', chargeId: 'c' } },
      { email: 'thandi@example.com' },
      { to: 'thandi@example.com', username: 'thandi', event: 'deleted' },
      { uploadId: 'gone' },
      { trackIds: [track.id], lossless: 1 },
      {},
    ];
    for (const payload of payloads) {
      test.clock.advance(1000);
      await addJob({ name: 'ingest-track', payload: JSON.stringify(payload) });
    }
    const { items } = await list('failed');
    const nothing = { track: null, user: null, fileName: null, message: null };
    const mix = { id: track.id, title: 'Night Bus' };
    expect(items.map(({ about }) => about).toReversed()).toEqual([
      { ...nothing, track: mix },
      { ...nothing, user: { id: admin.user.id, name: 'naledi' } },
      { ...nothing, user: { id: 'gone', name: null }, message: 'receipt' },
      nothing,
      { ...nothing, message: 'deleted' },
      nothing,
      { ...nothing, track: mix },
      nothing,
    ]);
    expect(JSON.stringify(items)).not.toContain('example.com');
    await decide('DELETE', items.at(-1)?.id ?? '');
    const [entry] = await test.deps.database.db.selectFrom('audit_log').select('after').execute();
    expect(JSON.parse(entry?.after ?? '')).toEqual({ name: 'ingest-track', about: 'Night Bus' });
  });

  it('continues after a page, using an index', async () => {
    const ids: string[] = [];
    for (let index = 0; index < 3; index += 1) {
      test.clock.advance(1000);
      ids.unshift(await addJob());
    }
    const first = await list('failed', '&limit=2');
    const second = await list('failed', `&limit=2&cursor=${first.nextCursor}`);
    expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(ids);
    const steps = await recordPlan(test.deps.database, async () => {
      for (const state of ['failed', 'waiting', 'running']) await list(state);
    });
    expect(findFullScans(steps, 'jobs')).toEqual([]);
  });

  it('retries a failed job with all its attempts, and discards another', async () => {
    const id = await addJob();
    expect((await decide('POST', id)).statusCode).toBe(204);
    expect((await list('waiting')).items).toMatchObject([{ id, attempts: 0 }]);
    await test.worker.runDue();
    expect((await list('waiting')).items).toEqual([]);
    const other = await addJob();
    expect((await decide('DELETE', other)).statusCode).toBe(204);
    expect((await list('failed')).items).toEqual([]);
    expect(new Set(await listActions())).toEqual(new Set(['job.retried', 'job.discarded']));
    const signals = await test.deps.database.db.selectFrom('signals').select('topic').execute();
    expect(signals.map(({ topic }) => topic)).toContain('admin:jobs');
  });

  it('runs a waiting job with the same key right away instead of adding a second one', async () => {
    const now = test.clock.now();
    const waiting = await addJob({
      state: 'ready',
      unique_key: 'k',
      run_at: now + 1e6,
      attempts: 0,
    });
    const id = await addJob({ unique_key: 'k' });
    expect((await decide('POST', id)).statusCode).toBe(204);
    expect((await list('waiting')).items).toMatchObject([{ id: waiting, runAt: now }]);
    expect((await list('failed')).items).toEqual([]);
  });

  it('doesn’t retry or discard a job that hasn’t failed', async () => {
    const id = await addJob({ state: 'ready' });
    for (const method of ['POST', 'DELETE'] as const) {
      expect((await decide(method, id)).statusCode).toBe(404);
      expect((await decide(method, 'nothing')).statusCode).toBe(404);
    }
    expect(await listActions()).toEqual([]);
  });

  it.each(['', '?state=lost', '?state=failed&limit=0', '?state=failed&cursor=x'])(
    'rejects %s',
    async (query) => {
      const response = await admin.client.request({ url: `/api/admin/jobs${query}` });
      expect(response.statusCode).toBe(400);
    },
  );
});

it('a schedule shows its last and its next run', async () => {
  const read = async () => {
    const response = await admin.client.request({ url: '/api/admin/schedules' });
    return response
      .json<{ items: ScheduleItem[] }>()
      .items.find(({ name }) => name === 'sweep-expired');
  };
  expect(await read()).toMatchObject({ lastRunAt: null, nextRunAt: null });
  const now = test.clock.now();
  await addJob({
    name: 'sweep-expired',
    payload: '{}',
    state: 'ready',
    unique_key: 'schedule:sweep-expired',
    attempts: 0,
    last_error: null,
  });
  await test.worker.runDue();
  expect(await read()).toEqual({
    name: 'sweep-expired',
    everyMs: HOUR,
    lastRunAt: now,
    lastError: null,
    nextRunAt: now + HOUR,
    isRunning: false,
  });
});
