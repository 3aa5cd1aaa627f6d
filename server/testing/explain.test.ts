/** @module-tag both-databases */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { prepareQuery } from '../db/prepare-query.ts';
import { findFullScans, recordPlan } from './explain.ts';
import { createTestDatabase, type TestDatabase } from './test-database.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.close());

const accessOf = async (run: () => Promise<unknown>) =>
  (await recordPlan(database, run)).map(({ table, access }) => `${access} ${table}`);

describe('the plan of a query', () => {
  const tracks = () => database.db.selectFrom('tracks').select('id');

  it('recognises a search by key', async () => {
    expect(await accessOf(() => tracks().where('id', '=', 'a').execute())).toEqual([
      'search tracks',
    ]);
  });

  it('recognises a full table scan', async () => {
    const run = () => tracks().where('title', '=', 'a').execute();
    expect(await accessOf(run)).toEqual(['scan tracks']);
    const steps = await recordPlan(database, run);
    expect(findFullScans(steps, 'tracks')).toEqual(steps);
    expect(findFullScans(steps, 'plays')).toEqual([]);
  });

  it('recognises an index that is read from its start', async () => {
    const run = () => tracks().orderBy('id').limit(1).execute();
    expect(await accessOf(run)).toEqual(['walk tracks']);
  });

  it('covers prepared queries, joins and transactions', async () => {
    const find = prepareQuery(
      (db, id: string) =>
        db
          .selectFrom('tracks')
          .innerJoin('renditions', 'renditions.track_id', 'tracks.id')
          .select('key')
          .where('tracks.id', '=', id),
      1,
    );
    const steps = await accessOf(async () => {
      await find(database.db, 'a');
      await database.db
        .transaction()
        .execute((tx) =>
          tx.updateTable('users').set({ is_scrobbling: 0 }).where('id', '=', 'a').execute(),
        );
    });
    expect(steps.toSorted()).toEqual(['search renditions', 'search tracks', 'search users']);
  });
});
