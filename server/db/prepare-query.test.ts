/** @module-tag both-databases */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Db } from './connect.ts';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { fromQuestions, prepareBatch, prepareQuery } from './prepare-query.ts';

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

describe('a batch', () => {
  /** `run` is the same for everyone who was answered by the same run of the query. */
  type Row = { asked: number; key: string; tat: number; run: string };
  const buildFindByKey = (db: Db, questions: string) => ({
    compile: () =>
      sql<Row>`
        select asked, key, tat, cast((select random()) as text) as run
        from ${fromQuestions(db, questions, ['wanted'])} as questions
        cross join rate_limits where key = wanted`.compile(db),
  });
  const findByKey = prepareBatch<Row>(buildFindByKey);
  const find = async (key: string) => (await findByKey(database.db, { wanted: key }))[0];

  it('answers everyone who asks in the same turn with one query, and each with their own rows', async () => {
    const [c, missing, a, again] = await Promise.all(['c', 'missing', 'a', 'c'].map(find));
    expect([c?.key, missing, a?.key, again?.key]).toEqual(['c', undefined, 'a', 'c']);
    expect(a?.run).toBe(c?.run);
    expect((await find('a'))?.run).not.toBe(a?.run);
  });

  it('answers what everyone asks next with one query too', async () => {
    const findNext = prepareBatch<Row>(buildFindByKey, process.nextTick);
    const askNext = async (key: string) => {
      await find(key);
      // Some take a few more steps until they ask.
      if (key === 'b') for (let step = 0; step < 20; step += 1) await Promise.resolve();
      return (await findNext(database.db, { wanted: key }))[0];
    };
    const [a, b, c] = await Promise.all(['a', 'b', 'c'].map(askNext));
    expect([a?.key, b?.key, c?.key]).toEqual(['a', 'b', 'c']);
    expect([b?.run, c?.run]).toEqual([a?.run, a?.run]);
  });

  it('sees whatever was committed before the question', async () => {
    await database.db.insertInto('rate_limits').values({ key: 'e', tat: 1 }).execute();
    const first = find('e');
    await database
      .connectAgain()
      .db.updateTable('rate_limits')
      .set({ tat: 2 })
      .where('key', '=', 'e')
      .execute();
    const last = find('e');
    expect((await first)?.tat).toBeGreaterThanOrEqual(1);
    expect((await last)?.tat).toBe(2);
  });

  it('fails for everyone who asked when the query fails, and works again afterwards', async () => {
    let isBroken = true;
    const findOrFail = prepareBatch((db, questions) => {
      if (isBroken) throw new Error('Broken.');
      return {
        compile: () =>
          sql<{ asked: number; key: string }>`
            select asked, key
            from ${fromQuestions(db, questions, ['key'])} as questions`.compile(db),
      };
    });
    const asked = ['a', 'b'].map((key) => findOrFail(database.db, { key }));
    const results = await Promise.allSettled(asked);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    isBroken = false;
    expect(await findOrFail(database.db, { key: "it's" })).toEqual([{ asked: 0, key: "it's" }]);
  });
});
