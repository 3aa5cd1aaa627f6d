import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JobsTable } from '../../db/types/tables.ts';
import type { TestDatabase } from '../../testing/test-database.ts';
import { createTestDatabase } from '../../testing/test-database.ts';
import { insertUser } from '../accounts/queries.ts';
import type { RunningJob } from '../../jobs/define-job.ts';
import { seedTrack } from '../../testing/seed-track.ts';
import { createTestApp, type TestApp } from '../../testing/test-app.ts';
import { playlistClient } from '../../testing/test-playlists.ts';
import { createUser } from '../../testing/test-user.ts';
import { purgeDeletedTracks } from '../catalogue/purge.ts';
import { tendScrobbles } from '../scrobbling/jobs.ts';
import { sweepUploadedFiles } from '../uploads/sweep-uploads.ts';
import { sweep, sweepExpired } from './jobs.ts';
import { DAY, HOUR, MINUTE } from '#contract/rules/time.ts';

const NOW = 100 * DAY;

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
  await insertUser(database.db, {
    id: 'u1',
    username: 'u1',
    email: 'u1@example.com',
    email_key: 'u1@example.com',
    password_hash: '',
    created_at: 0,
  });
});
afterEach(() => database.close());

it('deletes expired rows in batches and keeps the rest', async () => {
  const { db } = database;
  // Two days after their end, because a clock that is that much ahead isn't noticed.
  const ended = NOW - 2 * DAY;
  const times = [...Array<number>(1201).fill(ended), ended + 1];
  const session = { user_id: 'u1', user_agent: '', ip: '', created_at: 0, last_seen_at: 0 };
  await db
    .insertInto('sessions')
    .values(times.map((expires_at, n) => ({ ...session, token_hash: `s${n}`, expires_at })))
    .execute();
  await db
    .insertInto('password_resets')
    .values(
      [ended, ended + 1].map((expires_at) => ({
        token_hash: `r${expires_at}`,
        user_id: 'u1',
        created_at: 0,
        expires_at,
      })),
    )
    .execute();
  await db
    .insertInto('rate_limits')
    .values([NOW, NOW + 1].map((tat) => ({ key: `k${tat}`, tat })))
    .execute();

  await sweepExpired(db, { now: NOW, isDemo: true });

  const left = async (table: 'sessions' | 'password_resets' | 'rate_limits') =>
    (await db.selectFrom(table).selectAll().execute()).length;
  expect(await left('sessions')).toBe(1);
  expect(await left('password_resets')).toBe(1);
  expect(await left('rate_limits')).toBe(1);
});

it('lets links that a fast clock created end after their period, counted from now', async () => {
  const { db } = database;
  const reset = { user_id: 'u1', created_at: NOW + 40 * DAY };
  await db
    .insertInto('password_resets')
    .values([
      {
        ...reset,
        token_hash: 'mailed',
        email: 'u1@example.com',
        expires_at: NOW + 40 * DAY + HOUR,
      },
      { ...reset, token_hash: 'console', email: null, expires_at: NOW + 41 * DAY },
      { ...reset, token_hash: 'right', email: null, created_at: NOW, expires_at: NOW + HOUR },
    ])
    .execute();
  await db
    .insertInto('email_links')
    .values(
      (['confirm', 'undo'] as const).map((kind) => ({
        token_hash: kind,
        user_id: 'u1',
        kind,
        email: 'u1@example.com',
        created_at: NOW + 40 * DAY,
        expires_at: NOW + 47 * DAY,
      })),
    )
    .execute();
  // Again an hour later: the period doesn't start anew each time.
  for (const now of [NOW, NOW + HOUR / 2]) await sweepExpired(db, { now, isDemo: false });
  const listEnds = (table: 'password_resets' | 'email_links') =>
    db.selectFrom(table).select(['token_hash', 'expires_at']).orderBy('token_hash').execute();
  expect(await listEnds('password_resets')).toEqual([
    { token_hash: 'console', expires_at: NOW + DAY },
    { token_hash: 'mailed', expires_at: NOW + HOUR },
    { token_hash: 'right', expires_at: NOW + HOUR },
  ]);
  expect(await listEnds('email_links')).toEqual([
    { token_hash: 'confirm', expires_at: NOW + 7 * DAY },
    { token_hash: 'undo', expires_at: NOW + 7 * DAY },
  ]);
});

it.each([
  [true, ['29 days']],
  [false, []],
])(
  'deletes e-mails from the outbox, sooner outside demo mode (demo: %s)',
  async (isDemo, longKept) => {
    const { db } = database;
    const text = { recipient: 'a@example.com', subject: '', body_text: '', body_html: '' };
    await db
      .insertInto('outbox')
      .values(
        [6, 29, 30].map((days) => ({ ...text, id: `${days} days`, created_at: NOW - days * DAY })),
      )
      .execute();
    await sweepExpired(db, { now: NOW, isDemo });
    const left = await db.selectFrom('outbox').select('id').execute();
    expect(left.map(({ id }) => id).toSorted()).toEqual([...longKept, '6 days']);
  },
);

it('deletes dead jobs after 14 days, but no other job, however old', async () => {
  const { db } = database;
  const job = (id: string, state: 'dead' | 'ready', updatedAt: number): JobsTable => ({
    id,
    name: 'work',
    payload: '{}',
    unique_key: null,
    state,
    run_at: 0,
    attempts: 1,
    max_attempts: 1,
    lane: 'housekeeping',
    interruptions: 0,
    lease_token: null,
    lease_until: null,
    last_error: null,
    created_at: 0,
    updated_at: updatedAt,
  });
  const long = Array.from({ length: 501 }, (_, n) => job(`old${n}`, 'dead', NOW - 14 * DAY));
  await db
    .insertInto('jobs')
    .values([...long, job('fresh', 'dead', NOW - 14 * DAY + 1), job('waiting', 'ready', 0)])
    .execute();
  await sweepExpired(db, { now: NOW, isDemo: false });
  const left = await db.selectFrom('jobs').select('id').execute();
  expect(left.map(({ id }) => id).toSorted()).toEqual(['fresh', 'waiting']);
});

it('keeps searches without results for 400 days', async () => {
  const { db } = database;
  const now = Date.UTC(2026, 10, 15);
  await db
    .insertInto('search_misses')
    .values(['2025-10-10', '2025-10-11'].map((day) => ({ day, query: 'sun ra', searches: 1 })))
    .execute();
  await sweepExpired(db, { now, isDemo: false });
  const left = await db.selectFrom('search_misses').select('day').execute();
  expect(left).toEqual([{ day: '2025-10-11' }]);
});

describe('a clock that is 40 days ahead for an hour', () => {
  let test: TestApp;
  beforeEach(async () => {
    test = await createTestApp();
  });
  afterEach(() => test.close());

  const runAll = async () => {
    const { signal } = new AbortController();
    for (const job of [sweep, purgeDeletedTracks, sweepUploadedFiles, tendScrobbles])
      await job.execute(test.deps, '{}', { signal } as RunningJob);
  };
  const readPlaylists = () =>
    test.deps.database.db.selectFrom('playlists').select('name').execute();

  it('deletes no session, no mix and nothing else; after a day without a jump, all goes on', async () => {
    const { client } = await createUser(test);
    const { clock, deps } = test;
    const isLoggedIn = async () =>
      (await client.request({ url: '/api/auth/me' })).statusCode === 200;
    const playlists = playlistClient(client);
    await playlists.send('DELETE', `/${await playlists.create({ name: 'Braai' })}`);
    const track = await seedTrack({
      db: deps.database.db,
      storage: deps.storage,
      now: clock.now(),
    });
    const deleted = { deleted_at: clock.now(), publish_at: null };
    await deps.database.db.updateTable('tracks').set(deleted).execute();
    await runAll();

    clock.advance(40 * DAY);
    for (let minutes = 0; minutes < 60; minutes += 20) {
      await runAll();
      clock.advance(20 * MINUTE);
    }
    expect(test.logText()).toContain('The clock is days ahead');
    clock.advance(-40 * DAY);
    await runAll();
    expect(await isLoggedIn()).toBe(true);
    expect(await readPlaylists()).toEqual([{ name: 'Braai' }]);
    const readMaster = () =>
      deps.database.db
        .selectFrom('tracks')
        .select(['purged_at'])
        .where('id', '=', track.id)
        .executeTakeFirst();
    expect(await readMaster()).toEqual({ purged_at: null });

    clock.advance(40 * DAY);
    for (let hours = 0; hours <= 24; hours += 1) {
      await runAll();
      clock.advance(HOUR);
    }
    expect(await readPlaylists()).toEqual([]);
    expect(await deps.database.db.selectFrom('sessions').selectAll().execute()).toEqual([]);
    expect(await readMaster()).not.toEqual({ purged_at: null });
  });
});
