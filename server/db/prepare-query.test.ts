import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { prepareQuery } from './prepare-query.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  const values = ['a', 'b', 'c'].map((key, index) => ({ key, tat: index }));
  await database.db.insertInto('rate_limits').values(values).execute();
});
afterAll(() => database.close());

let builds = 0;
const findBetween = prepareQuery((db, from: number, to: number) => {
  builds += 1;
  return db
    .selectFrom('rate_limits')
    .select('key')
    .where('tat', '<=', to)
    .where('tat', '>=', from)
    .where('key', '!=', 'never')
    .orderBy('key');
}, 2);

it('accepts new values each time and is built once per database', async () => {
  expect(await findBetween(database.db, 0, 1)).toEqual([{ key: 'a' }, { key: 'b' }]);
  expect(await findBetween(database.db, 1, 2)).toEqual([{ key: 'b' }, { key: 'c' }]);
  expect(await findBetween(database.db, 9, 9)).toEqual([]);
  expect(builds).toBe(1);
  await findBetween(database.connectAgain().db, 0, 0);
  expect(builds).toBe(2);
});

it('escapes values, whatever they contain', async () => {
  const find = prepareQuery(
    (db, key: string) => db.selectFrom('rate_limits').select('key').where('key', '=', key),
    1,
  );
  expect(await find(database.db, "a' or '1'='1")).toEqual([]);
  expect(await find(database.db, 'a')).toEqual([{ key: 'a' }]);
});

it('sees only committed data while a transaction is open', async () => {
  const inside = Promise.withResolvers<void>();
  const go = Promise.withResolvers<void>();
  const writing = database.db.transaction().execute(async (tx) => {
    await tx.insertInto('rate_limits').values({ key: 'd', tat: 50 }).execute();
    expect(await findBetween(tx, 50, 50)).toEqual([{ key: 'd' }]);
    inside.resolve();
    await go.promise;
  });
  await inside.promise;
  expect(await findBetween(database.db, 50, 50)).toEqual([]);
  go.resolve();
  await writing;
  expect(await findBetween(database.db, 50, 50)).toEqual([{ key: 'd' }]);
});

it('rejects a value of the wrong type', () => {
  const broken = prepareQuery((db, _key: string) => db.selectFrom('rate_limits').select('key'), 1);
  expect(() => broken(database.db, 'a')).toThrow(/Value 0 is not a parameter/);
});
