/** @module-tag both-databases */
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.close());

it('runs on the dialect under test', () => {
  expect(database.dialect).toBe(process.env.TEST_DIALECT);
});

it('answers a ping while it is open and rejects it afterwards', async () => {
  const other = database.connectAgain();
  await expect(other.ping()).resolves.toBeUndefined();
  await other.close();
  await expect(other.ping()).rejects.toThrow('driver has already been destroyed');
});

it('returns whole numbers as numbers', async () => {
  const time = 1_900_000_000_000;
  await database.db.insertInto('rate_limits').values({ key: 'a', tat: time }).execute();
  const row = await database.db
    .selectFrom('rate_limits')
    .select(({ fn }) => [
      fn.max('tat').as('tat'),
      fn.countAll().as('count'),
      fn.sum('tat').as('sum'),
    ])
    .executeTakeFirstOrThrow();
  expect({ ...row }).toEqual({ tat: time, count: 1, sum: time });
});

it('rejects a number that it could not return exactly', async () => {
  await expect(sql`select 9007199254740993 as n`.execute(database.db)).rejects.toThrow(RangeError);
});
