import type pg from 'pg';
import type { DatabaseSettings } from '../../db/connect.ts';
import { openPostgres } from '../../db/open-postgres.ts';
import { openSqliteReader } from '../../db/open-sqlite.ts';

export type Row = Record<string, unknown>;

/** One moment of the whole database, however long it takes to read. */
export type Snapshot = {
  tables: readonly string[];
  read: (table: string) => AsyncIterable<Row>;
  close: () => Promise<void>;
};

/** The search index is made from the tracks again, and the rest is of no use a minute later. */
const LEFT_OUT = /^(?:search_(?!misses)|signals$|rate_limits$|sqlite_)/;

const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** In WAL mode a reader sees what was there when it began, and nobody waits for it. */
function openSqliteSnapshot(file: string): Snapshot {
  const database = openSqliteReader(file);
  database.exec('begin');
  const rows = database.prepare(`select name from sqlite_master where type = 'table'`).all();
  const tables = rows.map(({ name }) => String(name)).filter((name) => !LEFT_OUT.test(name));
  return {
    tables,
    read: async function* read(table) {
      yield* database.prepare(`select * from ${quote(table)}`).iterate() as Iterable<Row>;
    },
    close: async () => database.close(),
  };
}

const FETCH = 'fetch 1000 from backup_rows';

async function* readByCursor(client: pg.PoolClient, table: string): AsyncGenerator<Row> {
  await client.query(`declare backup_rows no scroll cursor for select * from ${quote(table)}`);
  for (;;) {
    const { rows } = await client.query<Row>(FETCH);
    if (rows.length === 0) break;
    yield* rows;
  }
  await client.query('close backup_rows');
}

async function openPostgresSnapshot(url: string): Promise<Snapshot> {
  const pool = openPostgres({ url, poolSize: 1 }, console);
  const client = await pool.connect();
  await client.query('begin isolation level repeatable read read only');
  await client.query('set local statement_timeout = 0');
  await client.query('set local idle_in_transaction_session_timeout = 0');
  const { rows } = await client.query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = current_schema()`,
  );
  return {
    tables: rows.map(({ name }) => name).filter((name) => !LEFT_OUT.test(name)),
    read: (table) => readByCursor(client, table),
    close: async () => {
      await client.query('rollback');
      client.release();
      await pool.end();
    },
  };
}

export const openSnapshot = async (settings: DatabaseSettings): Promise<Snapshot> =>
  settings.kind === 'sqlite'
    ? openSqliteSnapshot(settings.file)
    : openPostgresSnapshot(settings.url);
