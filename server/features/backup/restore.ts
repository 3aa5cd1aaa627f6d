import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { sql, type Transaction } from 'kysely';
import { connect, type Database, type DialectName } from '../../db/connect.ts';
import { migrateWithin } from '../../db/migrate.ts';
import { migrations } from '../../db/migrations/list.ts';
import { ConsoleProblem } from '../console/service.ts';
import type { Place, Report } from './backup.ts';
import { checkBackup, readManifest, tablePath, type Manifest } from './manifest.ts';
import { replaceDatabase, type AnyTx } from './replace-database.ts';
import type { Row } from './read-tables.ts';
import { listFiles } from './save-files.ts';
import { sortTables } from './sort-tables.ts';
import { stageFiles } from './stage-files.ts';
import { withoutTriggers } from './without-triggers.ts';

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
async function fillTables(
  tx: AnyTx,
  dialect: DialectName,
  folder: string,
  { manifest, now, report }: { manifest: Manifest; now: number; report: Report },
) {
  const within = tx as unknown as Transaction<unknown>;
  await migrateWithin(within, dialect, now, knownMigrations(manifest));
  const tables = await sortTables(tx, dialect, Object.keys(manifest.tables));
  await withoutTriggers(tx, dialect, tables, async () => {
    for (const table of tables) {
      await insertTable(tx, folder, table);
      report(`${table}: ${manifest.tables[table]?.rows ?? 0} rows`);
    }
  });
  // Without its index the search is made anew at once, not at the hour it was planned for.
  await tx.deleteFrom('jobs').where('unique_key', '=', 'schedule:reindex-search').execute();
  await migrateWithin(within, dialect, now);
}

/**
 * Puts a backup where nothing is, or with `isReplacing` in place of what is. What is here stays as it
 * is until all of the backup lies beside it; from one moment to the next the site is the other one.
 */
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
  if (!isReplacing) await refuseContent(place);
  const files = place.files ? await stageFiles(place.files, folder, manifest.files ?? {}) : null;
  try {
    await replaceDatabase(place.database, {
      fill: (tx, dialect) => fillTables(tx, dialect, folder, { manifest, now, report }),
      // Names of files are never used twice: those of both sites lie side by side for a moment.
      beforeSwap: async () => {
        await files?.place();
        report('everything is here, and takes the place of what was');
      },
    });
  } catch (error) {
    await files?.undo();
    throw error;
  }
  report('the rows are in place');
  await files?.finish();
  return manifest;
}
