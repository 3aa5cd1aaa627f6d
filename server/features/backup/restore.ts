import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { join } from 'node:path';
import { sql, type Kysely, type Transaction } from 'kysely';
import { connect, type Database, type DatabaseSettings } from '../../db/connect.ts';
import { migrate } from '../../db/migrate.ts';
import { migrations } from '../../db/migrations/list.ts';
import { ConsoleProblem } from '../console/service.ts';
import type { Place, Report } from './backup.ts';
import { checkBackup, filePath, readManifest, tablePath, type Manifest } from './manifest.ts';
import type { Row } from './read-tables.ts';
import { copyWhole, listFiles } from './save-files.ts';
import { sortTables } from './sort-tables.ts';
import { withoutTriggers } from './without-triggers.ts';

type AnyTables = Record<string, Row>;
type AnyTx = Transaction<AnyTables>;

/** Below what either database takes in one statement. */
const MOST_VALUES = 5000;

async function insertTable(tx: AnyTx, folder: string, table: string) {
  const input = createReadStream(tablePath(folder, table));
  const lines = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
  let batch: Row[] = [];
  const flush = async () => {
    if (batch.length > 0) await tx.insertInto(table).values(batch).execute();
    batch = [];
  };
  for await (const line of lines) {
    const row = JSON.parse(line) as Row;
    batch.push(row);
    if (batch.length * Object.keys(row).length >= MOST_VALUES) await flush();
  }
  await flush();
}

async function hasContent({ db, dialect }: Database): Promise<boolean> {
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

/** Every table of ours and what stands on them; the database itself stays. */
async function clearPostgres(database: Database) {
  const { rows } = await sql<{ name: string }>`select tablename as name from pg_tables
    where schemaname = current_schema()`.execute(database.db);
  for (const { name } of rows)
    await sql`drop table ${sql.table(name)} cascade`.execute(database.db);
  const functions = await sql<{ name: string }>`select p.oid::regprocedure::text as name
    from pg_proc p join pg_namespace n on n.oid = p.pronamespace
    where n.nspname = current_schema()
      and not exists (select 1 from pg_depend d where d.objid = p.oid and d.deptype = 'e')`.execute(
    database.db,
  );
  for (const { name } of functions.rows)
    await sql`drop function ${sql.raw(name)} cascade`.execute(database.db);
}

async function clearDatabase(settings: DatabaseSettings) {
  if (settings.kind === 'sqlite') {
    for (const end of ['', '-wal', '-shm']) await rm(settings.file + end, { force: true });
    return;
  }
  const database = connect(settings, console);
  await clearPostgres(database).finally(() => database.close());
}

async function refuseContent({ database, files }: Place) {
  const open = connect(database, console);
  const isFull = await hasContent(open).finally(() => open.close());
  const kept = files ? await listFiles(files) : [];
  if (isFull || kept.length > 0)
    throw new ConsoleProblem(
      'There is a site here already. Stop the server and add --replace to put the backup in its place: what is here now is then gone.',
    );
}

function knownMigrations(manifest: Manifest) {
  const names = new Set(manifest.migrations);
  const known = migrations.filter(({ name }) => names.has(name));
  if (known.length < names.size)
    throw new ConsoleProblem(
      'The backup comes from a newer version of this program. Restore it with that version.',
    );
  return known;
}

/** The tables as they were saved, the rows, and only then what newer versions make of them. */
async function restoreTables(
  database: Database,
  folder: string,
  { manifest, now, report }: { manifest: Manifest; now: number; report: Report },
) {
  await migrate(database, now, knownMigrations(manifest));
  const db = database.db as unknown as Kysely<AnyTables>;
  await db.transaction().execute(async (tx) => {
    if (database.dialect === 'postgres') await sql`set local statement_timeout = 0`.execute(tx);
    const tables = await sortTables(tx, database.dialect, Object.keys(manifest.tables));
    await withoutTriggers(tx, database.dialect, tables, async () => {
      for (const table of tables) {
        await insertTable(tx, folder, table);
        report(`${table}: ${manifest.tables[table]?.rows ?? 0} rows`);
      }
    });
    // Without its index the search is made anew at once, not at the hour it was planned for.
    await tx.deleteFrom('jobs').where('unique_key', '=', 'schedule:reindex-search').execute();
  });
  await migrate(database, now);
}

/** Puts a backup where nothing is, or with `isReplacing` in place of what is. */
export async function restoreBackup(
  place: Place,
  folder: string,
  { now, isReplacing, report }: { now: number; isReplacing: boolean; report: Report },
): Promise<Manifest> {
  const manifest = await readManifest(folder);
  knownMigrations(manifest);
  if (manifest.files && !place.files)
    throw new ConsoleProblem(
      'The backup holds files, and this site keeps its files in S3. Restore without the S3 settings, then upload them.',
    );
  await checkBackup(folder, manifest);
  if (isReplacing) {
    await clearDatabase(place.database);
    if (place.files) await rm(place.files, { recursive: true, force: true });
  } else await refuseContent(place);
  for (const key of Object.keys(manifest.files ?? {}))
    await copyWhole(filePath(folder, key), join(place.files ?? '', ...key.split('/')));
  const database = connect(place.database, console);
  await restoreTables(database, folder, { manifest, now, report }).finally(() => database.close());
  return manifest;
}
