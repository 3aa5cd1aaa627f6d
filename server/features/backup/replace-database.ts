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
  /** Writes everything into a database that holds nothing. */
  fill: (tx: AnyTx, dialect: DialectName) => Promise<void>;
  /** Done when all is written, and before anybody sees it. */
  beforeSwap: () => Promise<void>;
};

const transact = ({ db }: Database, work: (tx: AnyTx) => Promise<void>) =>
  (db as unknown as Kysely<AnyTables>).transaction().execute(work);

/** Every table of ours and what stands on them; the database itself stays. */
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

/** In one transaction: until its end everybody sees what was, and so do we when it has none. */
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
 * Everything into the one file that is about to be replaced: a log that is left beside it would be
 * read as that of the new one. Only possible while nobody else has it open.
 */
function gatherSqlite(file: string): void {
  if (!existsSync(file)) return;
  const database = new DatabaseSync(file, { timeout: 1000 });
  try {
    database.exec('pragma journal_mode = delete');
  } catch (error) {
    if (isBusy(error))
      throw new ConsoleProblem('Something is still using the database. Stop the server first.', {
        cause: error,
      });
    // What cannot be read is what a backup is for.
  } finally {
    database.close();
  }
}

const removeSqlite = async (file: string, ends = ['', '-wal', '-shm', '-journal']) => {
  for (const end of ends) await rm(file + end, { force: true });
};

/** Beside the old one, which is there until a rename, which happens or does not. */
async function replaceSqlite(file: string, { fill, beforeSwap }: Replacement) {
  gatherSqlite(file);
  const draft = `${file}.restoring`;
  await removeSqlite(draft);
  const database = connect({ kind: 'sqlite', file: draft }, console);
  try {
    await transact(database, (tx) => fill(tx, database.dialect)).finally(() => database.close());
    gatherSqlite(draft);
    await beforeSwap();
    await removeSqlite(file, ['-wal', '-shm', '-journal']);
    await rename(draft, file);
  } catch (error) {
    await removeSqlite(draft);
    throw error;
  }
}

/** Puts another content in place of all that a database holds: all of it, or none. */
export const replaceDatabase = (
  settings: DatabaseSettings,
  replacement: Replacement,
): Promise<void> =>
  settings.kind === 'sqlite'
    ? replaceSqlite(settings.file, replacement)
    : replacePostgres(settings, replacement);
