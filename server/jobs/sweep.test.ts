import { expect, it } from 'vitest';
import { createTestDatabase } from '../testing/test-database.ts';
import { createTestClock, createTestWorker } from '../testing/test-worker.ts';
import { plan } from './schedules.ts';
import { sweepExpired } from './sweep.ts';

it('removes what has expired and keeps what has not', async () => {
  const database = await createTestDatabase();
  const { db } = database;
  const clock = createTestClock();
  const now = clock.now();
  await db
    .insertInto('users')
    .values({
      id: 'u',
      username: 'u',
      username_key: 'u',
      email: 'u',
      email_key: 'u',
      password_hash: '',
      is_admin: 0,
      is_demo: 0,
      paid_through: null,
      avatar_key: null,
      created_at: now,
      updated_at: now,
    })
    .execute();
  for (const [name, time] of [['old', now] as const, ['new', now + 1] as const]) {
    const token = { token_hash: name, user_id: 'u', created_at: 0, expires_at: time };
    await db
      .insertInto('sessions')
      .values({ ...token, user_agent: '', ip: '', last_seen_at: 0 })
      .execute();
    await db.insertInto('password_resets').values(token).execute();
    await db.insertInto('rate_limits').values({ key: name, tat: time }).execute();
  }
  await plan(db, { name: sweepExpired.name, maxAttempts: 1, everyMs: 1 }, { now, runAt: now });
  expect(await createTestWorker(database, clock, [sweepExpired]).worker.runDue()).toBe(1);
  const hash = 'token_hash as name';
  const left = [
    await db.selectFrom('sessions').select(hash).execute(),
    await db.selectFrom('password_resets').select(hash).execute(),
    await db.selectFrom('rate_limits').select('key as name').execute(),
  ].map((rows) => rows.map((row) => row.name));
  expect(left).toEqual([['new'], ['new'], ['new']]);
  await database.close();
});
