/** @module-tag both-databases */
import { buildUser } from '../build-rows.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts';

let database: TestDatabase;

describe('the tables', () => {
  const user = buildUser({ id: 'u1', username: 'Thandi', created_at: 1_800_000_000_000 });
  const insertUser = (values: Record<string, unknown>): Promise<unknown> =>
    database.db
      .insertInto('users')
      .values({ ...user, ...values })
      .execute();

  beforeEach(async () => {
    database = await createTestDatabase();
    await insertUser({});
  });
  afterEach(() => database.close());

  it.each([
    ['the same username', { id: 'u2', email_key: 'other' }],
    ['the same e-mail address', { id: 'u2', username_key: 'other' }],
    [
      'a flag that is neither 0 nor 1',
      { id: 'u2', username_key: 'b', email_key: 'b', is_admin: 2 },
    ],
    ['a text as a time', { id: 'u2', username_key: 'b', email_key: 'b', created_at: 'soon' }],
    ['a missing name', { id: 'u2', username_key: null, email_key: 'b' }],
  ])('reject %s', async (_what, values) => {
    await expect(insertUser(values)).rejects.toThrow(/constraint|cannot store|invalid input/);
  });

  it('delete a user’s rows with the user, and reject an unknown user', async () => {
    const times = { created_at: 1, expires_at: 2 };
    const session = { user_agent: '', ip: '', last_seen_at: 1, ...times };
    const { db } = database;
    await db
      .insertInto('sessions')
      .values({ token_hash: 's', user_id: 'u1', ...session })
      .execute();
    await db
      .insertInto('password_resets')
      .values({ token_hash: 'r', user_id: 'u1', ...times })
      .execute();
    const stranger = db
      .insertInto('sessions')
      .values({ token_hash: 't', user_id: 'u9', ...session });
    await expect(stranger.execute()).rejects.toThrow(/foreign key/i);
    await db.deleteFrom('users').execute();
    expect(await db.selectFrom('sessions').selectAll().execute()).toEqual([]);
    expect(await db.selectFrom('password_resets').selectAll().execute()).toEqual([]);
  });
});
