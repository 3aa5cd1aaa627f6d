import { afterEach, beforeEach, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts';
import type { PlaysTable } from '../listening-tables.ts';
import type { TracksTable, UsersTable } from '../tables.ts';
import { migrate } from '../migrate.ts';
import { migrations } from './list.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase({ isEmpty: true });
});
afterEach(() => database.close());

const user = (id: string): UsersTable => ({
  id,
  username: id,
  username_key: id,
  email: id,
  email_key: id,
  password_hash: '',
  is_admin: 0,
  is_demo: 0,
  paid_through: null,
  avatar_key: null,
  created_at: 1,
  updated_at: 1,
});

/** With the columns that the table had then. */
const track = (id: string) =>
  ({
    id,
    title: id,
    year: 2026,
    week: 46,
    description: '',
    genre: null,
    bpm: null,
    duration_ms: 100_000,
    chapters: '[]',
    cover_key: null,
    master_key: null,
    preview_start_ms: null,
    status: 'ready',
    progress: 100,
    failure: null,
    is_subscriber_only: 0,
    publish_at: 1,
    play_count: 0,
    created_at: 1,
    updated_at: 1,
  }) as TracksTable;

let plays = 0;
const play = (change: Partial<PlaysTable>): Omit<PlaysTable, 'counted_at'> => ({
  id: `play-${++plays}`,
  track_id: 'a',
  user_id: 'paid',
  listener: 'user:paid',
  is_subscriber: 1,
  started_at: 1,
  heard_at: 1_800_000_000_000,
  heard_ms: 0,
  position_ms: 0,
  is_counted: 0,
  ...change,
});

it('what members heard before is taken over from their plays', async () => {
  const { db } = database;
  const before = migrations.filter(({ name }) => name < '0004');
  await migrate(database, 1, before);
  await db
    .insertInto('users')
    .values([user('paid'), user('free')])
    .execute();
  await db
    .insertInto('tracks')
    .values([track('a'), track('b'), track('c')])
    .execute();
  const free = { user_id: 'free', listener: 'user:free', is_subscriber: 0 } as const;
  const rows = [
    play({ heard_at: 20, heard_ms: 50_000, position_ms: 95_000 }),
    play({ heard_at: 30, heard_ms: 5_000, position_ms: 5_000 }),
    play({ heard_at: 40, heard_ms: 20_000, position_ms: 20_000, track_id: 'b' }),
    play({ heard_at: 50, heard_ms: 95_000, position_ms: 10_000, track_id: 'c' }),
    play({ ...free, heard_at: 60, heard_ms: 95_000, position_ms: 95_000 }),
    play({ user_id: null, listener: 'visitor:x', heard_ms: 95_000 }),
  ];
  await db.insertInto('plays').values(rows).execute();
  const day = { track_id: 'b', day: '2026-10-01', listener: 'user:paid' };
  await db
    .insertInto('listener_days')
    .values([day, { ...day, day: '2026-10-09' }])
    .execute();
  const names = migrations.map(({ name }) => name).filter((name) => name >= '0004');
  expect(await migrate(database, 2)).toEqual(names);
  const listening = await db.selectFrom('listening').selectAll().orderBy('last_heard_at').execute();
  const of = (user_id: string, track_id: string) => ({ user_id, track_id });
  const heard = (heard_ms: number, is_heard: 0 | 1, reach: number | null) => ({
    heard_ms,
    is_heard,
    reach,
    reach_day: reach === null ? null : reach === 20 ? '2026-10-01' : '1970-01-01',
  });
  expect(listening).toEqual([
    { ...of('paid', 'a'), position_ms: 5_000, ...heard(55_000, 1, 100), last_heard_at: 30 },
    { ...of('paid', 'b'), position_ms: 20_000, ...heard(20_000, 0, 20), last_heard_at: 40 },
    { ...of('paid', 'c'), position_ms: 10_000, ...heard(95_000, 1, 100), last_heard_at: 50 },
    { ...of('free', 'a'), position_ms: 95_000, ...heard(95_000, 0, null), last_heard_at: 60 },
  ]);
  expect(await db.selectFrom('mix_reach').selectAll().orderBy('track_id').execute()).toEqual([
    { track_id: 'a', day: '1970-01-01', reach: 100, listeners: 1 },
    { track_id: 'b', day: '2026-10-01', reach: 20, listeners: 1 },
    { track_id: 'c', day: '1970-01-01', reach: 100, listeners: 1 },
  ]);
});
