/** @module-tag both-databases */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JobItem, JobPause, ScheduleItem } from '#contract/admin/jobs.ts';
import type { Week } from '#contract/admin/week.ts';
import { buildTrack } from '../../db/build-rows.ts';
import type { JobsTable } from '../../db/types/tables.ts';
import { newId } from '../../db/ids.ts';
import { jobList } from '../../job-list.ts';
import { probeQueue } from '../../jobs/jobs-handle.ts';
import { createWorker } from '../../jobs/worker.ts';
import { findFullScans, recordPlan } from '../../testing/explain.ts';
import { seedTrack } from '../../testing/seed-track.ts';
import { createAdmin } from '../../testing/test-admin.ts';
import { createTestApp, type TestApp } from '../../testing/test-app.ts';
import { payingClient } from '../../testing/test-payments.ts';
import { createUser, type TestUser } from '../../testing/test-user.ts';
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
    pauses: JobPause[];
  }>();
}
const request = (method: 'POST' | 'PUT' | 'DELETE', path: string, payload?: object) =>
  admin.client.request({ method, url: `/api/admin/${path}`, ...(payload && { payload }) });
const pause = (target: string, isPaused = true) =>
  request('PUT', 'job-pauses', { target, isPaused });
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
    const nothing = { track: null, user: null, fileName: null, letter: null, message: null };
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

  it('doesn’t retry a job that hasn’t failed, and changes none that runs', async () => {
    const now = test.clock.now();
    const waiting = await addJob({ state: 'ready' });
    expect((await decide('POST', waiting)).statusCode).toBe(404);
    const running = await addJob({ state: 'running', lease_until: now + 1, lease_token: 'x' });
    for (const id of [running, 'nothing']) {
      for (const method of ['POST', 'DELETE'] as const)
        expect((await decide(method, id)).statusCode).toBe(404);
      expect((await request('POST', `jobs/${id}/run`)).statusCode).toBe(404);
    }
    expect(await listActions()).toEqual([]);
  });

  it('runs a waiting job before its time', async () => {
    const id = await addJob({ state: 'ready', run_at: test.clock.now() + HOUR, attempts: 0 });
    await test.worker.runDue();
    expect((await list('waiting')).items).toHaveLength(1);
    expect((await request('POST', `jobs/${id}/run`)).statusCode).toBe(204);
    await test.worker.runDue();
    expect((await list('waiting')).items).toEqual([]);
    expect(await listActions()).toEqual(['job.run']);
  });

  it('says whose a job is that only names a payment, a card, a clip or a letter', async () => {
    const { db } = test.deps.database;
    const now = test.clock.now();
    const member = await createUser(test, 'sipho');
    await payingClient(test, member).buy('monthly');
    const { reference, charge_id: chargeId } = await db
      .selectFrom('payments')
      .select(['reference', 'charge_id'])
      .executeTakeFirstOrThrow();
    const { id: methodId } = await db
      .selectFrom('payment_methods')
      .select('id')
      .executeTakeFirstOrThrow();
    const letter = await admin.client.request({
      method: 'POST',
      url: '/api/admin/letters',
      payload: {},
    });
    const { id: letterId } = letter.json<{ id: string }>();
    await db.updateTable('letters').set({ subject: 'Hello' }).execute();
    await db.deleteFrom('jobs').execute();
    const jobs = [
      ['settle-reported-payment', { provider: 'sandbox', reference }],
      ['make-refund', { provider: 'sandbox', chargeId, key: 'k' }],
      ['forget-card', { methodId }],
      ['start-letter', { id: letterId }],
    ] as const;
    for (const [name, payload] of jobs) {
      test.clock.advance(1000);
      await addJob({ name, payload: JSON.stringify(payload), state: 'ready', run_at: now });
    }
    const { items } = await list('waiting');
    const owners = Object.fromEntries(items.map(({ name, about }) => [name, about]));
    for (const name of ['settle-reported-payment', 'make-refund', 'forget-card'])
      expect(owners[name], name).toMatchObject({ user: { id: member.user.id, name: 'sipho' } });
    expect(owners['start-letter']).toMatchObject({ letter: { id: letterId, subject: 'Hello' } });
  });

  it('discards a waiting job whose work nobody was promised, as if it had failed', async () => {
    const { db, storage } = { db: test.deps.database.db, storage: test.deps.storage };
    const now = test.clock.now();
    const { id: trackId } = await seedTrack({ db, storage, now }, { status: 'processing' });
    await db
      .insertInto('ingest_runs')
      .values({
        id: 'run',
        track_id: trackId,
        job_id: null,
        state: 'processing',
        replaces_audio: 0,
        previous_master_key: null,
        previous_master_sha256: null,
        found_preview_start_ms: null,
        created_at: now,
        updated_at: now,
      })
      .execute();
    const id = await addJob({
      name: 'ingest-track',
      lane: 'media',
      payload: JSON.stringify({ trackId, runId: 'run' }),
      state: 'ready',
    });
    expect((await list('waiting')).items).toMatchObject([{ id, canDiscard: true }]);
    expect((await decide('DELETE', id)).statusCode).toBe(204);
    expect((await list('waiting')).items).toEqual([]);
    const track = await db.selectFrom('tracks').select('status').executeTakeFirstOrThrow();
    expect(track.status).toBe('failed');
  });

  it.each([
    ['renew-due', 'payments', 'schedule:renew-due'],
    ['make-refund', 'payments', null],
    ['send-billing-message', 'mail', null],
    ['complete-upload', 'uploads', null],
    ['delete-files', 'files', null],
    ['sweep-expired', 'housekeeping', 'schedule:sweep-expired'],
    ['unknown-job', 'housekeeping', null],
  ])('doesn’t discard %s while it waits', async (name, lane, unique_key) => {
    const id = await addJob({ name, lane, unique_key, payload: '{}', state: 'ready' });
    expect((await list('waiting')).items).toMatchObject([{ canDiscard: false }]);
    const refused = await decide('DELETE', id);
    expect(refused.statusCode).toBe(409);
    expect(refused.json()).toMatchObject({ code: 'job_needed' });
    expect((await list('waiting')).items).toHaveLength(1);
  });

  it('shows the jobs of one lane and of one kind', async () => {
    await addJob();
    await addJob({ name: 'send-password-reset', lane: 'urgent-mail' });
    const lane = await list('failed', '&lane=urgent-mail');
    expect(lane.items.map(({ name }) => name)).toEqual(['send-password-reset']);
    expect(lane.counts).toMatchObject({ failed: 1 });
    const kind = await list('failed', '&name=delete-unused-avatar');
    expect(kind.items.map(({ name }) => name)).toEqual(['delete-unused-avatar']);
    expect((await list('failed', '&lane=mail&name=delete-unused-avatar')).items).toEqual([]);
  });

  describe('pauses', () => {
    const addWaiting = (change: Partial<JobsTable> = {}) =>
      addJob({ state: 'ready', attempts: 0, last_error: null, ...change });
    const isThere = async (id: string) =>
      (await list('waiting')).items.some((item) => item.id === id);

    it.each(['lane:housekeeping', 'job:delete-unused-avatar'])(
      '%s until somebody lets it go on, also on other servers and after a restart',
      async (target) => {
        const id = await addWaiting();
        expect((await pause(target)).statusCode).toBe(204);
        expect((await pause(target)).statusCode).toBe(204);
        const listed = await list('waiting');
        expect(listed.items).toMatchObject([{ id, isPaused: true }]);
        expect(listed.pauses).toEqual([{ target, at: test.clock.now(), by: admin.user.username }]);
        // Each worker asks the database, so another process or the next start is no different.
        const other = createWorker({ deps: test.deps, jobs: jobList });
        for (const worker of [test.worker, other]) expect(await worker.runDue()).toBe(0);
        expect(await isThere(id)).toBe(true);
        expect((await request('POST', `jobs/${id}/run`)).json()).toMatchObject({
          code: 'job_paused',
        });
        test.clock.advance(HOUR);
        expect((await probeQueue(test.deps.database.db, test.clock.now())).status).toBe('ok');
        expect((await pause(target, false)).statusCode).toBe(204);
        await test.worker.runDue();
        expect(await isThere(id)).toBe(false);
        expect((await listActions()).toSorted()).toEqual(['jobs.paused', 'jobs.resumed']);
      },
    );

    it('leaves other kinds of the lane alone, also behind many that are paused', async () => {
      const { db } = test.deps.database;
      for (let n = 0; n < 20; n += 1) await addWaiting();
      const other = await addWaiting({ name: 'sweep-expired', payload: '{}' });
      await pause('job:delete-unused-avatar');
      expect(await test.worker.runDue()).toBeGreaterThan(0);
      expect(await isThere(other)).toBe(false);
      const left = await db
        .selectFrom('jobs')
        .select('id')
        .where('name', '=', 'delete-unused-avatar')
        .execute();
      expect(left).toHaveLength(20);
    });

    it('are on Friday’s page while they last', async () => {
      const readAttention = async () =>
        (await admin.client.request({ url: '/api/admin/week' })).json<Week>().attention;
      expect(await readAttention()).toEqual([]);
      await pause('lane:bulk-mail');
      test.clock.advance(1);
      await pause('job:cut-clip');
      expect(await readAttention()).toEqual([
        {
          kind: 'paused-jobs',
          count: 2,
          text: 'Paused until you let them go on: Make a clip, E-mails to many.',
          href: '/admin/jobs?state=waiting',
        },
      ]);
      for (const target of ['lane:bulk-mail', 'job:cut-clip']) await pause(target, false);
      expect(await readAttention()).toEqual([]);
    });

    it.each([
      ['lane:nowhere', 404],
      ['job:make-tea', 404],
      ['mail', 400],
      ['lane:watch', 409],
      ['job:check-site', 409],
    ])('refuse %s', async (target, status) => {
      expect((await pause(target)).statusCode).toBe(status);
      expect((await list('waiting')).pauses).toEqual([]);
    });
  });

  it.each([
    '',
    '?state=lost',
    '?state=failed&lane=none',
    '?state=failed&name=%00',
    '?state=failed&limit=0',
    '?state=failed&cursor=x',
  ])('rejects %s', async (query) => {
    const response = await admin.client.request({ url: `/api/admin/jobs${query}` });
    expect(response.statusCode).toBe(400);
  });
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
