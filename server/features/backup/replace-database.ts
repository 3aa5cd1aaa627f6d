import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { sql, type Kysely, type Transaction } from 'kysely';
import {
  connect,
  type Database,
  type DatabaseSettings,
  type DialectName,
} from '../../db/connect.ts';
import { ConsoleProblem } from '../console/service.ts';
import type { Row } from './read-tables.ts';

type AnyTables = Record<string, Row>;
export type AnyTx = Transaction<AnyTables>;

type Replacement = {
  /** Writes everything into an empty database. */
  fill: (tx: AnyTx, dialect: DialectName) => Promise<void>;
  /** Runs when everything is written, before anyone can see it. */
  beforeSwap: () => Promise<void>;
};

const transact = ({ db }: Database, work: (tx: AnyTx) => Promise<void>) =>
  (db as unknown as Kysely<AnyTables>).transaction().execute(work);

/** Drops our tables, triggers and functions, but not the database. */
async function clearPostgres(tx: AnyTx) {
  const { rows } = await sql<{ name: string }>`select tablename as name from pg_tables
    where schemaname = current_schema()`.execute(tx);
  for (const { name } of rows) await sql`drop table ${sql.table(name)} cascade`.execute(tx);
  const functions = await sql<{ name: string }>`select p.oid::regprocedure::text as name
    from pg_proc p join pg_namespace n on n.oid = p.pronamespace
    where n.nspname = current_schema()
      and not exists (select 1 from pg_depend d where d.objid = p.oid and d.deptype = 'e')`.execute(
    tx,
  );
  for (const { name } of functions.rows)
    await sql`drop function ${sql.raw(name)} cascade`.execute(tx);
}

/** In one transaction, so that everyone sees the old site until it commits, or forever if it fails. */
async function replacePostgres(settings: DatabaseSettings, { fill, beforeSwap }: Replacement) {
  const database = connect(settings, console);
  try {
    await transact(database, async (tx) => {
      await sql`set local statement_timeout = 0`.execute(tx);
      await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx);
      await clearPostgres(tx);
      await fill(tx, database.dialect);
      await beforeSwap();
    });
  } finally {
    await database.close();
  }
}

const SQLITE_BUSY = 5;

const isBusy = (error: unknown): boolean =>
  error instanceof Error && 'errcode' in error && (Number(error.errcode) & 0xff) === SQLITE_BUSY;

/**
 * Moves the write-ahead log into the file that is about to be replaced: SQLite would take a log left
 * next to it for the new file's. Only possible while no other program has it open.
 */
function mergeSqliteLog(file: string): void {
  if (!existsSync(file)) return;
  const database = new DatabaseSync(file, { timeout: 1000 });
  try {
    database.exec('pragma journal_mode = delete');
  } catch (error) {
    if (isBusy(error))
      throw new ConsoleProblem('The database is still in use. Stop the server first.', {
        cause: error,
      });
    // An unreadable database is what a backup is for.
  } finally {
    database.close();
  }
}

const removeSqlite = async (file: string, ends = ['', '-wal', '-shm', '-journal']) => {
  for (const end of ends) await rm(file + end, { force: true });
};

/** Builds the new file next to the old one and renames it at the end, which is atomic. */
async function replaceSqlite(file: string, { fill, beforeSwap }: Replacement) {
  mergeSqliteLog(file);
  const draft = `${file}.restoring`;
  await removeSqlite(draft);
  const database = connect({ kind: 'sqlite', file: draft }, console);
  try {
    await transact(database, (tx) => fill(tx, database.dialect)).finally(() => database.close());
    mergeSqliteLog(draft);
    await beforeSwap();
    await removeSqlite(file, ['-wal', '-shm', '-journal']);
    await rename(draft, file);
  } catch (error) {
    await removeSqlite(draft);
    throw error;
  }
}

/** Replaces everything in a database, or changes nothing. */
export const replaceDatabase = (
  settings: DatabaseSettings,
  replacement: Replacement,
): Promise<void> =>
  settings.kind === 'sqlite'
    ? replaceSqlite(settings.file, replacement)
    : replacePostgres(settings, replacement);

/** SQLite can't disable a trigger, so we drop and recreate it in the same transaction. */
async function withoutSqliteTriggers(tx: AnyTx, work: () => Promise<void>) {
  const { rows } = await sql<{ name: string; text: string }>`select name, sql as text
    from sqlite_master where type = 'trigger'`.execute(tx);
  for (const { name } of rows) await sql`drop trigger ${sql.id(name)}`.execute(tx);
  await work();
  for (const { text } of rows) await sql.raw(text).execute(tx);
}

/** The backup already contains what the triggers would write. Foreign keys are still checked. */
export async function withoutTriggers(
  tx: AnyTx,
  dialect: DialectName,
  tables: readonly string[],
  work: () => Promise<void>,
): Promise<void> {
  if (dialect === 'sqlite') return withoutSqliteTriggers(tx, work);
  const switchTo = async (state: 'disable' | 'enable') => {
    for (const table of tables)
      await sql`alter table ${sql.table(table)} ${sql.raw(state)} trigger user`.execute(tx);
  };
  await switchTo('disable');
  await work();
  await switchTo('enable');
}
