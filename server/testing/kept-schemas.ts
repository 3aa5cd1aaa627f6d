import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresQueryCompiler,
  SqliteAdapter,
  SqliteQueryCompiler,
} from 'kysely';
import type { DialectName } from '../db/connect.ts';
import type { Migration } from '../db/schema/migrations/migration.ts';

/** The schema of each released version and a little data, as `tools/keep-schema.ts` wrote them. */
export const KEPT_SCHEMAS = join(import.meta.dirname, '..', 'db', 'schema', 'releases');

export type KeptRows = {
  migrations: string[];
  /** In the order in which they can be inserted. */
  rows: Record<string, Record<string, string | number | null>[]>;
};

/** No statement has an empty line. */
const BETWEEN = ';\n\n';

export const joinStatements = (statements: readonly string[]): string =>
  `${statements.join(BETWEEN)};\n`;

export const listKeptVersions = (): string[] =>
  readdirSync(KEPT_SCHEMAS)
    .filter((name) => name.endsWith('.rows.json'))
    .map((name) => name.replace('.rows.json', ''))
    .toSorted();

const readKept = (name: string): string => readFileSync(join(KEPT_SCHEMAS, name), 'utf8');

export const readKeptRows = (version: string): KeptRows =>
  JSON.parse(readKept(`${version}.rows.json`)) as KeptRows;

export const readKeptStatements = (version: string, dialect: DialectName): string[] =>
  readKept(`${version}.${dialect}.sql`).trimEnd().slice(0, -1).split(BETWEEN);

/** What these migrations do to an empty database, without one: every query answers with no rows. */
export async function recordStatements(
  migrations: readonly Migration[],
  dialect: DialectName,
): Promise<string[]> {
  const statements: string[] = [];
  const isSqlite = dialect === 'sqlite';
  const db = new Kysely<unknown>({
    dialect: {
      createAdapter: () => (isSqlite ? new SqliteAdapter() : new PostgresAdapter()),
      createDriver: () => new DummyDriver(),
      createQueryCompiler: () =>
        isSqlite ? new SqliteQueryCompiler() : new PostgresQueryCompiler(),
      createIntrospector: () => {
        throw new Error('A migration must not depend on what it finds.');
      },
    },
    log: ({ query }) => void statements.push(query.sql),
  });
  await db.transaction().execute(async (tx) => {
    for (const { up } of migrations) await up(tx, dialect);
  });
  return statements.filter((statement) => !/^(select|begin|commit)\b/i.test(statement));
}
