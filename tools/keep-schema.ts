import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { migrations } from '#server/db/schema/migrations/list.ts';
import {
  joinStatements,
  KEPT_SCHEMAS,
  listKeptVersions,
  readKeptRows,
  recordStatements,
  type KeptRows,
} from '#server/testing/kept-schemas.ts';
import packageJson from '../package.json' with { type: 'json' };

/**
 * Run this once, by hand, for a release: `node tools/keep-schema.ts` keeps the schema of the version
 * in package.json, with a little data, for `server/db/schema/releases.test.ts`. The schema of a
 * released version is never changed: databases have it. What comes after it is a new migration.
 *
 * Rows stay as the file of the version, or the one before, has them. What it lacks gets made-up
 * values, and the tool names them: read them, and write better ones.
 */

const TIME = 1_795_000_000_000;
const EMPTY_BY_DESIGN = ['schema_migrations', 'catalogue_version'];

type Column = { name: string; type: string; notnull: number };
type Row = KeptRows['rows'][string][number];

const { version } = packageJson;
const statements = {
  sqlite: await recordStatements(migrations, 'sqlite'),
  postgres: await recordStatements(migrations, 'postgres'),
};
const last = listKeptVersions().at(-1);
const earlier = last === undefined ? {} : readKeptRows(last).rows;

const database = new DatabaseSync(':memory:');
for (const statement of statements.sqlite) database.exec(statement);

const query = <T>(text: string, ...values: string[]): T[] =>
  database.prepare(text).all(...values) as T[];

/** PostgreSQL's `integer` can't hold a time. */
const isLong = (table: string, column: string): boolean =>
  statements.postgres.some(
    (statement) =>
      statement.startsWith(`create table ${table} `) &&
      new RegExp(`\\b${column} bigint\\b`).test(statement),
  );

const findFirstAllowed = (table: string, column: string): string | undefined =>
  statements.sqlite
    .find((statement) => statement.startsWith(`create table ${table} `))
    ?.match(new RegExp(`check \\(${column} in \\('([^']*)'`))?.[1];

const rows: KeptRows['rows'] = {};

function makeUp(table: string, column: Column): string | number {
  const [parent] = query<{ table: string; to: string }>(
    'select "table", "to" from pragma_foreign_key_list(?) where "from" = ?',
    table,
    column.name,
  );
  const value = parent && rows[parent.table]?.[0]?.[parent.to];
  if (value !== undefined && value !== null) return value;
  if (column.type === 'INTEGER') return isLong(table, column.name) ? TIME : 1;
  return findFirstAllowed(table, column.name) ?? `a ${column.name}`;
}

/** In the order of their creation, which is that of their references. */
const tables = query<{ name: string }>(
  `select name from sqlite_master where type = 'table' and name not like 'search\\_index%' escape '\\'
    order by rowid`,
);
for (const { name } of tables) {
  if (EMPTY_BY_DESIGN.includes(name)) continue;
  const columns = query<Column>('select name, type, "notnull" from pragma_table_info(?)', name);
  const kept: Row[] = earlier[name] ?? [{}];
  rows[name] = kept.map((row) =>
    Object.fromEntries(
      columns.map((column): [string, string | number | null] => {
        const value = row[column.name];
        if (value !== undefined) return [column.name, value];
        const madeUp = makeUp(name, column);
        process.stdout.write(`made up: ${name}.${column.name} = ${madeUp}\n`);
        return [column.name, madeUp];
      }),
    ),
  );
}

const kept: KeptRows = { migrations: migrations.map(({ name }) => name), rows };
await mkdir(KEPT_SCHEMAS, { recursive: true });
const write = (ending: string, text: string) =>
  writeFile(join(KEPT_SCHEMAS, `${version}.${ending}`), text);
await write('sqlite.sql', joinStatements(statements.sqlite));
await write('postgres.sql', joinStatements(statements.postgres));
await write('rows.json', `${JSON.stringify(kept, null, 2)}\n`);
