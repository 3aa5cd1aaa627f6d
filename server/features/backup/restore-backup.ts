import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { connect, type Database, type DialectName } from '../../db/connect.ts';
import { migrateWithin } from '../../db/migrate.ts';
import { migrations } from '../../db/migrations/list.ts';
import { ConsoleProblem } from '../console/service.ts';
import type { SiteLocation, Report } from './save-backup.ts';
import { checkBackup, readManifest, tablePath, type Manifest } from './manifest.ts';
import { replaceDatabase, type AnyTx, withoutTriggers } from './replace-database.ts';
import type { Row } from './read-tables.ts';
import { listFiles, stageFiles } from './site-files.ts';
import { sql, type Transaction } from 'kysely';

/** Below the limit of both databases for one statement. */
const MAX_VALUES = 5000;

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
    if (batch.length * Object.keys(row).length >= MAX_VALUES) await flush();
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

async function rejectExistingSite({ database, files }: SiteLocation) {
  const open = connect(database, console);
  const isFull = await hasContent(open).finally(() => open.close());
  const kept = files ? await listFiles(files) : [];
  if (isFull || kept.length > 0)
    throw new ConsoleProblem(
      'A site already exists here. Stop the server and add --replace to overwrite it with the backup.',
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

/** Creates the tables as they were saved, inserts the rows, and then runs the newer migrations. */
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
  // The backup has no search index, so rebuild it right away instead of at the scheduled time.
  await tx.deleteFrom('jobs').where('unique_key', '=', 'schedule:reindex-search').execute();
  await migrateWithin(within, dialect, now);
}

/**
 * Restores a backup into an empty site, or with `isReplacing` over an existing one. The existing site
 * stays untouched until the whole backup is copied; then one step switches to it.
 */
export async function restoreBackup(
  site: SiteLocation,
  folder: string,
  { now, isReplacing, report }: { now: number; isReplacing: boolean; report: Report },
): Promise<Manifest> {
  const manifest = await readManifest(folder);
  knownMigrations(manifest);
  if (manifest.files && !site.files)
    throw new ConsoleProblem(
      'The backup contains files, but this site keeps its files in S3. Restore without the S3 settings, then upload the files.',
    );
  await checkBackup(folder, manifest);
  if (!isReplacing) await rejectExistingSite(site);
  const files = site.files ? await stageFiles(site.files, folder, manifest.files ?? {}) : null;
  try {
    await replaceDatabase(site.database, {
      fill: (tx, dialect) => fillTables(tx, dialect, folder, { manifest, now, report }),
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

export const sortTables = async (tx: AnyTx, dialect: DialectName, tables: readonly string[]) =>
  orderTables(tables.toSorted(), await listReferences(tx, dialect));
