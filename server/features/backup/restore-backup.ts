import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { sql, type Transaction, type Kysely } from 'kysely';
import {
  connect,
  type Database,
  type DialectName,
  type DatabaseSettings,
} from '../../db/connect.ts';
import { migrateWithin } from '../../db/schema/migrate.ts';
import { migrations } from '../../db/schema/migrations/list.ts';
import { ConsoleProblem } from '../console/service.ts';
import type { SiteLocation, Report } from './save-backup.ts';
import { checkBackup, openBackup, type Backup, type Manifest } from './manifest.ts';
import type { Row } from './read-tables.ts';
import { dropIncompleteUploads } from './incomplete-uploads.ts';
import { listFiles, stageFiles, stageInStore, type StagedFiles } from './site-files.ts';

/** Below the limit of both databases for one statement. */
const MAX_VALUES = 5000;

async function insertRows(tx: AnyTx, table: string, rows: AsyncIterable<Row>): Promise<number> {
  let count = 0;
  let batch: Row[] = [];
  const flush = async () => {
    if (batch.length > 0) await tx.insertInto(table).values(batch).execute();
    batch = [];
  };
  for await (const row of rows) {
    batch.push(row);
    count += 1;
    if (batch.length * Object.keys(row).length >= MAX_VALUES) await flush();
  }
  await flush();
  return count;
}

export async function hasContent({ db, dialect }: Database): Promise<boolean> {
  const tables =
    dialect === 'sqlite'
      ? sql<{
          name: string;
        }>`select name from sqlite_master where type = 'table' and name = 'users'`
      : sql<{ name: string }>`select tablename as name from pg_tables
          where schemaname = current_schema() and tablename = 'users'`;
  if ((await tables.execute(db)).rows.length === 0) return false;
  const user = await db.selectFrom('users').select('id').limit(1).executeTakeFirst();
  const track = await db.selectFrom('tracks').select('id').limit(1).executeTakeFirst();
  return user !== undefined || track !== undefined;
}

async function hasFiles({ files, store }: SiteLocation): Promise<boolean> {
  if (files !== null) return (await listFiles(files)).length > 0;
  for await (const { key } of store?.list() ?? []) if (!key.startsWith('probes/')) return true;
  return false;
}

async function rejectExistingSite(site: SiteLocation) {
  const open = connect(site.database, console);
  const isFull = await hasContent(open).finally(() => open.close());
  if (isFull || (await hasFiles(site)))
    throw new ConsoleProblem(
      'A site already exists here. Stop the server and add --replace to overwrite it with the backup.',
    );
}

function knownMigrations(names: readonly string[]) {
  const known = migrations.filter(({ name }) => names.includes(name));
  if (known.length < names.length)
    throw new ConsoleProblem(
      'The backup comes from a newer version of this program. Restore it with that version.',
    );
  return known;
}

/** Everything that a database has, from a backup or from another database. */
export type SavedRows = {
  migrations: readonly string[];
  tables: readonly string[];
  read: (table: string) => AsyncIterable<Row>;
  /** Throws if this isn't how many rows the table had. */
  check?: (table: string, count: number) => void;
};

/** Creates the tables as they were saved, inserts the rows, and then runs the newer migrations. */
export async function fillTables(
  tx: AnyTx,
  dialect: DialectName,
  saved: SavedRows,
  { now, report }: { now: number; report: Report },
) {
  const within = tx as unknown as Transaction<unknown>;
  await migrateWithin(within, dialect, now, knownMigrations(saved.migrations));
  const tables = await sortTables(tx, dialect, saved.tables);
  await withoutTriggers(tx, dialect, tables, async () => {
    for (const table of tables) {
      const count = await insertRows(tx, table, saved.read(table));
      report(`${table}: ${count} rows`);
      saved.check?.(table, count);
    }
  });
  // The backup has no search index, so rebuild it right away instead of at the scheduled time.
  await tx.deleteFrom('jobs').where('unique_key', '=', 'schedule:reindex-search').execute();
  await migrateWithin(within, dialect, now);
}

export const toSavedRows = ({ manifest, readTable }: Backup): SavedRows => ({
  migrations: manifest.migrations,
  tables: Object.keys(manifest.tables),
  read: readTable,
  check: (table, count) => {
    const rows = manifest.tables[table]?.rows;
    if (rows !== count)
      throw new ConsoleProblem(
        `The backup has ${count} rows of ${table}, but says it has ${rows}.`,
      );
  },
});

/** A backup without files leaves those of the site as they are. */
async function prepareFiles(site: SiteLocation, backup: Backup): Promise<StagedFiles | null> {
  if (!backup.manifest.files) return null;
  if (site.store) return stageInStore(site.store, backup);
  return site.files === null ? null : stageFiles(site.files, backup);
}

/**
 * Restores a backup into an empty site, or with `isReplacing` over an existing one. The existing site
 * stays untouched until the whole backup is copied; then one step switches to it.
 */
export async function restoreBackup(
  site: SiteLocation,
  place: string,
  { now, isReplacing, report }: { now: number; isReplacing: boolean; report: Report },
): Promise<Manifest> {
  const backup = await openBackup(place);
  const { manifest } = backup;
  knownMigrations(manifest.migrations);
  await checkBackup(backup);
  if (!isReplacing) await rejectExistingSite(site);
  const files = await prepareFiles(site, backup);
  try {
    await replaceDatabase(site.database, {
      fill: async (tx, dialect) => {
        await fillTables(tx, dialect, toSavedRows(backup), { now, report });
        await dropIncompleteUploads(tx, manifest.files);
      },
      // File names are never reused, so the files of both sites can be in one folder for a moment.
      beforeSwap: async () => {
        await files?.moveIntoPlace();
        report('all files copied; replacing the old site');
      },
    });
  } catch (error) {
    await files?.undo();
    throw error;
  }
  report('rows restored');
  await files?.finish();
  return manifest;
}

type Reference = { from: string; to: string };

/** A table comes after the tables that it references. */
export function orderTables(tables: readonly string[], references: readonly Reference[]): string[] {
  const ordered: string[] = [];
  const visited = new Set<string>();
  const visit = (table: string) => {
    if (visited.has(table)) return;
    visited.add(table);
    for (const { from, to } of references) if (from === table && to !== table) visit(to);
    if (tables.includes(table)) ordered.push(table);
  };
  for (const table of tables) visit(table);
  return ordered;
}

async function listReferences(tx: AnyTx, dialect: DialectName): Promise<Reference[]> {
  const query =
    dialect === 'sqlite'
      ? sql<Reference>`select m.name as "from", f."table" as "to"
          from sqlite_master m, pragma_foreign_key_list(m.name) f where m.type = 'table'`
      : sql<Reference>`select c.relname as "from", r.relname as "to" from pg_constraint k
          join pg_class c on c.oid = k.conrelid join pg_class r on r.oid = k.confrelid
          where k.contype = 'f'`;
  return (await query.execute(tx)).rows;
}

const sortTables = async (tx: AnyTx, dialect: DialectName, tables: readonly string[]) =>
  orderTables(tables.toSorted(), await listReferences(tx, dialect));

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
export function mergeSqliteLog(file: string): void {
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
async function withoutTriggers(
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
