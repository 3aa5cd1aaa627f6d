/** @module-tag both-databases */
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startChild } from '../../testing/start-child.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts';
import { migrate } from './migrate.ts';
import { migrations } from './migrations/list.ts';
import type { Migration } from './migrations/migration.ts';

const NAMES = migrations.map((migration) => migration.name);

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase({ isEmpty: true });
});
afterEach(() => database.close());

const listTables = async (): Promise<string[]> => {
  const tables = await database.db.introspection.getTables();
  return tables.map((table) => table.name).toSorted();
};

const createThings: Migration = {
  name: '0001-things',
  up: async (tx) => {
    await sql`create table things (id text primary key)`.execute(tx);
  },
};
const failHalfway: Migration = {
  name: '0002-fails',
  up: async (tx) => {
    await sql`create table halves (id text primary key)`.execute(tx);
    throw new Error('The second half is missing.');
  },
};

it('has unique migrations in the order of their numbers', () => {
  expect(NAMES).toEqual([...new Set(NAMES)].toSorted());
  for (const name of NAMES) expect(name).toMatch(/^\d{4}-[a-z0-9-]+$/);
});

it('applies everything to an empty database, and nothing the second time', async () => {
  expect(await migrate(database, 1)).toEqual(NAMES);
  const tables = await listTables();
  expect(tables).toContain('users');
  expect(await migrate(database, 2)).toEqual([]);
  expect(await listTables()).toEqual(tables);
});

it('applies only missing migrations', async () => {
  await migrate(database, 1, [createThings]);
  const more: Migration = { name: '0002-more', up: async () => undefined };
  expect(await migrate(database, 2, [createThings, more])).toEqual(['0002-more']);
});

it('applies all or nothing', async () => {
  const failing = migrate(database, 1, [createThings, failHalfway]);
  await expect(failing).rejects.toThrow('The second half is missing.');
  expect(await listTables()).toEqual([]);
});

it('rejects a database of a newer version and changes nothing', async () => {
  const newer: Migration = { name: '0009-future', up: async () => undefined };
  await migrate(database, 1, [createThings, newer]);
  const before = await listTables();
  await expect(migrate(database, 2, [createThings, failHalfway])).rejects.toThrow(
    'The database was last used by a newer version of this program (it has migration 0009-future, ' +
      'this program knows up to 0002-fails). Start the newer version, or restore a backup.',
  );
  expect(await listTables()).toEqual(before);
});

it('runs each migration once when several processes start together', async () => {
  const task = { settings: database.settings, now: 1, do: { kind: 'migrate' } } as const;
  const children = await Promise.all([startChild(task), startChild(task), startChild(task)]);
  for (const child of children) child.go();
  const messages = await Promise.all(children.map((child) => child.readMessage()));
  expect(messages.map((message) => message.kind)).toEqual(['migrated', 'migrated', 'migrated']);
  const applied = messages.flatMap((message) =>
    message.kind === 'migrated' ? message.applied : [],
  );
  expect(applied).toEqual(NAMES);
});
