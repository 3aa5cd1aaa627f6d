import { sql } from 'kysely';
import type { Database } from '../db/connect.ts';

/**
 * Lets writes to these tables fail as they do on a full disk. On SQLite they really run out of pages;
 * PostgreSQL raises its error. Returns how to free the disk.
 */
export async function fillDisk(
  { db, dialect }: Database,
  tables: readonly string[],
): Promise<() => Promise<void>> {
  const run = async (statements: readonly string[]) => {
    for (const statement of statements) await sql.raw(statement).execute(db);
  };
  const name = (table: string) => `full_disk_${table}`;
  if (dialect === 'postgres') {
    await run([
      `create function full_disk() returns trigger language plpgsql as
        $$ begin raise exception 'No space left on device' using errcode = '53100'; end $$`,
      ...tables.map(
        (table) =>
          `create trigger ${name(table)} before insert or update on ${table} execute function full_disk()`,
      ),
    ]);
    return () => run(['drop function full_disk cascade']);
  }
  await run([
    'create table full_disk (bytes blob)',
    ...tables.flatMap((table) =>
      ['insert', 'update'].map(
        (change) => `create trigger ${name(table)}_${change} after ${change} on ${table}
          begin insert into full_disk values (zeroblob(100000)); end`,
      ),
    ),
  ]);
  const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(db);
  await run([`pragma max_page_count = ${rows[0]?.page_count ?? 0}`]);
  return () =>
    run([
      'pragma max_page_count = 1073741823',
      'drop table full_disk',
      ...tables.flatMap((table) =>
        ['insert', 'update'].map((change) => `drop trigger ${name(table)}_${change}`),
      ),
    ]);
}
