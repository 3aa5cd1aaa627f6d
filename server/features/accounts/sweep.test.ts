import { afterEach, beforeEach, expect, it } from 'vitest';
import type { TestDatabase } from '../../testing/test-database.ts';
import { createTestDatabase } from '../../testing/test-database.ts';
import { insertUser } from './queries.ts';
import { sweepExpired } from './sweep.ts';

const NOW = 1_000_000;

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
  await insertUser(database.db, {
    id: 'u1',
    username: 'u1',
    username_key: 'u1',
    email: 'u1@example.com',
    email_key: 'u1@example.com',
    password_hash: '',
    created_at: 0,
  });
});
afterEach(() => database.close());

it('deletes what has run out, batch after batch, and keeps the rest', async () => {
  const { db } = database;
  const times = [...Array<number>(1201).fill(NOW), NOW + 1];
  const session = { user_id: 'u1', user_agent: '', ip: '', created_at: 0, last_seen_at: 0 };
  await db
    .insertInto('sessions')
    .values(times.map((expires_at, n) => ({ ...session, token_hash: `s${n}`, expires_at })))
    .execute();
  await db
    .insertInto('password_resets')
    .values(
      [NOW, NOW + 1].map((expires_at) => ({
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

  await sweepExpired(db, NOW);

  const left = async (table: 'sessions' | 'password_resets' | 'rate_limits') =>
    (await db.selectFrom(table).selectAll().execute()).length;
  expect(await left('sessions')).toBe(1);
  expect(await left('password_resets')).toBe(1);
  expect(await left('rate_limits')).toBe(1);
});
