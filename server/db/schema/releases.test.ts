/** @module-tag both-databases */
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  listKeptVersions,
  readKeptRows,
  readKeptStatements,
  recordStatements,
} from '../../testing/kept-schemas.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts';
import { migrate } from './migrate.ts';
import { migrations } from './migrations/list.ts';
import type { Migration } from './migrations/migration.ts';

type Rows = Record<string, unknown>[];

/** Everything that a database has besides rows, whatever the order in which it was created. */
async function describeSchema({ db, dialect }: TestDatabase): Promise<string[]> {
  const queries =
    dialect === 'sqlite'
      ? [
          sql`select m.name, c.name as "column", c.type, c."notnull", c.dflt_value, c.pk
            from sqlite_master m, pragma_table_xinfo(m.name) c where m.type = 'table'`,
          sql`select m.name, f."from", f."table", f."to", f.on_delete
            from sqlite_master m, pragma_foreign_key_list(m.name) f where m.type = 'table'`,
          sql`select m.name, i."unique", i.origin, i.partial, group_concat(c.name || c."desc" || c.coll)
            from sqlite_master m, pragma_index_list(m.name) i, pragma_index_xinfo(i.name) c
            where m.type = 'table' and c.key = 1 group by m.name, i.name`,
          sql`select type, name, tbl_name, sql from sqlite_master where type in ('index', 'trigger')`,
        ]
      : [
          sql`select table_name, column_name, data_type, is_nullable, column_default, collation_name
            from information_schema.columns where table_schema = 'public'`,
          sql`select conrelid::regclass::text, contype, pg_get_constraintdef(oid) from pg_constraint
            where connamespace = 'public'::regnamespace`,
          sql`select tablename, indexname, indexdef from pg_indexes where schemaname = 'public'`,
          sql`select pg_get_triggerdef(oid) from pg_trigger where not tgisinternal`,
          sql`select proname, prosrc from pg_proc where pronamespace = 'public'::regnamespace`,
        ];
  const lines: string[] = [];
  for (const query of queries) {
    const { rows } = await query.execute(db);
    lines.push(...rows.map((row) => JSON.stringify(row).replaceAll(/(?:\\n|\s)+/g, ' ')));
  }
  return lines.toSorted();
}

const readTable = async ({ db }: TestDatabase, table: string): Promise<Rows> =>
  (await sql<Record<string, unknown>>`select * from ${sql.table(table)}`.execute(db)).rows;

/** The values that were kept: a later version may have added columns, or moved rows elsewhere. */
const pickColumns = (rows: Rows, columns: readonly string[]): Rows =>
  rows.map((row) => Object.fromEntries(columns.map((column) => [column, row[column]])));

const opened: TestDatabase[] = [];
const openEmpty = async (): Promise<TestDatabase> => {
  const database = await createTestDatabase({ isEmpty: true });
  opened.push(database);
  return database;
};
afterEach(async () => {
  for (const database of opened.splice(0)) await database.close();
});

/** These have no rows of their own: what is in them comes with the statements or is built anew. */
const WITHOUT_ROWS = ['schema_migrations', 'catalogue_version'];

describe.each(listKeptVersions())('version %s', (version) => {
  const kept = readKeptRows(version);

  /** A database as this version left it: its rows came before its triggers could react to them. */
  async function createReleased(database: TestDatabase): Promise<void> {
    const statements = readKeptStatements(version, database.dialect);
    const isTrigger = (statement: string) => /^create (constraint )?trigger/.test(statement);
    const [last, ...others] = kept.migrations.toReversed();
    const everything: Migration = {
      name: last ?? '',
      up: async (tx) => {
        for (const statement of statements)
          if (!isTrigger(statement)) await sql.raw(statement).execute(tx);
        for (const [table, rows] of Object.entries(kept.rows))
          for (const row of rows)
            await sql`insert into ${sql.table(table)}
              (${sql.join(Object.keys(row).map((column) => sql.ref(column)))})
              values (${sql.join(Object.values(row))})`.execute(tx);
        for (const statement of statements)
          if (isTrigger(statement)) await sql.raw(statement).execute(tx);
      },
    };
    const before = others.toReversed().map((name) => ({ name, up: async () => undefined }));
    await migrate(database, 1, [...before, everything]);
  }

  let database: TestDatabase;
  beforeEach(async () => {
    database = await openEmpty();
    await createReleased(database);
  });

  it('is created by its migrations as on the day of its release', async () => {
    const released = migrations.filter(({ name }) => kept.migrations.includes(name));
    const { dialect } = database;
    expect(
      await recordStatements(released, dialect),
      `The schema of ${version} is released: databases have it, and never run its migrations again. ` +
        'Leave them as they were and add a migration (docs/decisions/006-migration-runner.md).',
    ).toEqual(readKeptStatements(version, dialect));
  });

  it('has a row in every table', async () => {
    for (const { name } of await database.db.introspection.getTables()) {
      if (WITHOUT_ROWS.includes(name) || name.startsWith('search_index')) continue;
      expect([name, kept.rows[name]?.length]).toEqual([name, expect.any(Number)]);
      expect([name, await readTable(database, name)]).not.toEqual([name, []]);
    }
  });

  it('becomes a database of this version, with every row', async () => {
    const names = migrations.map(({ name }) => name);
    const missing = names.filter((name) => !kept.migrations.includes(name));
    const before = new Map<string, Rows>();
    for (const table of Object.keys(kept.rows)) before.set(table, await readTable(database, table));
    expect(await migrate(database, 2)).toEqual(missing);

    const created = await openEmpty();
    await migrate(created, 1);
    expect(await describeSchema(database)).toEqual(await describeSchema(created));
    for (const [table, rows] of before) {
      const after = await readTable(database, table);
      const columns = Object.keys(rows[0] ?? {}).filter((column) => column in (after[0] ?? {}));
      expect([table, after.length]).toEqual([table, rows.length]);
      expect([table, pickColumns(after, columns)]).toEqual([table, pickColumns(rows, columns)]);
    }
  });
});
