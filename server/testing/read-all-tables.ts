import { sql } from 'kysely';
import type { Database } from '../db/connect.ts';

const listNames = {
  sqlite: sql<{ name: string }>`select name from sqlite_schema where type = 'table'`,
  postgres: sql<{
    name: string;
  }>`select table_name as name from information_schema.tables where table_schema = current_schema()`,
};

/** Every row of every table as text, including the tables of future features. */
export async function readAllTables({ db, dialect }: Database): Promise<Map<string, string[]>> {
  const { rows } = await listNames[dialect].execute(db);
  const tables = new Map<string, string[]>();
  for (const { name } of rows) {
    const content = await sql<object>`select * from ${sql.table(name)}`.execute(db);
    tables.set(
      name,
      content.rows.map((row) => JSON.stringify(row)),
    );
  }
  return tables;
}

/** The tables that contain one of these texts anywhere, in any case. */
export async function findTraces(database: Database, texts: readonly string[]): Promise<string[]> {
  const wanted = texts.map((text) => text.toLowerCase());
  const tables = await readAllTables(database);
  return [...tables].flatMap(([name, rows]) =>
    rows
      .filter((row) => wanted.some((text) => row.toLowerCase().includes(text)))
      .map((row) => `${name}: ${row}`),
  );
}
