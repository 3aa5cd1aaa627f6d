import type pg from 'pg';
import type { DatabaseSettings } from '../../db/connect.ts';
import { openPostgres } from '../../db/open-postgres.ts';
import { openSqliteReader } from '../../db/open-sqlite.ts';

export type Row = Record<string, unknown>;

/** The whole database at one point in time, however long reading takes. */
export type Snapshot = {
  tables: readonly string[];
  read: (table: string) => AsyncIterable<Row>;
  close: () => Promise<void>;
};

/** The search index is rebuilt from the tracks; the others are stale within a minute. */
const EXCLUDED = /^(?:search_(?!misses)|catalogue_version$|signals$|rate_limits$|sqlite_)/;

const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** In WAL mode a reader sees the database as it was when it started, and blocks no one. */
function openSqliteSnapshot(file: string): Snapshot {
  const database = openSqliteReader(file);
  database.exec('begin');
  const rows = database.prepare(`select name from sqlite_master where type = 'table'`).all();
  const tables = rows.map(({ name }) => String(name)).filter((name) => !EXCLUDED.test(name));
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
    tables: rows.map(({ name }) => name).filter((name) => !EXCLUDED.test(name)),
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
