import { createWriteStream } from 'node:fs';
import { chmod, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { DatabaseSettings } from '../../db/connect.ts';
import { hashFile } from '../../ports/storage/hash-file.ts';
import { ConsoleProblem } from '../console/service.ts';
import { filePath, tablePath, writeManifest, type Manifest } from './manifest.ts';
import { openSnapshot, type Row, type Snapshot } from './read-tables.ts';
import { listFiles, saveFiles } from './site-files.ts';

export type SiteLocation = {
  database: DatabaseSettings;
  /** The folder of the files; null when they are in S3. */
  files: string | null;
};

export type Report = (line: string) => void;

async function prepareFolder(folder: string) {
  await mkdir(join(folder, 'tables'), { recursive: true });
  const found = await readdir(folder);
  const tables = await readdir(join(folder, 'tables'));
  if (found.length > 1 || tables.length > 0)
    throw new ConsoleProblem(`${folder} is not empty. Choose a new folder for each backup.`);
  // It has everything that the database has: keys, addresses, hashes of passwords.
  await chmod(folder, 0o700);
}

async function saveTable(snapshot: Snapshot, table: string, folder: string) {
  let rows = 0;
  async function* writeLines(source: AsyncIterable<Row>) {
    for await (const row of source) {
      rows += 1;
      yield `${JSON.stringify(row)}\n`;
    }
  }
  const path = tablePath(folder, table);
  const lines = Readable.from(writeLines(snapshot.read(table)));
  await pipeline(lines, createWriteStream(path, { flags: 'wx', flush: true }));
  return { ...(await hashFile(path)), rows };
}

async function saveTables(database: DatabaseSettings, folder: string, report: Report) {
  const snapshot = await openSnapshot(database);
  try {
    const tables: Manifest['tables'] = {};
    const migrations: string[] = [];
    for await (const { name } of snapshot.read('schema_migrations')) migrations.push(String(name));
    for (const table of snapshot.tables) {
      if (table === 'schema_migrations') continue;
      tables[table] = await saveTable(snapshot, table, folder);
      report(`${table}: ${tables[table].rows} rows`);
    }
    return { tables, migrations: migrations.toSorted() };
  } finally {
    await snapshot.close();
  }
}

async function describeFiles(folder: string): Promise<NonNullable<Manifest['files']>> {
  const files: NonNullable<Manifest['files']> = {};
  for (const key of await listFiles(join(folder, 'files')))
    files[key] = await hashFile(filePath(folder, key));
  return files;
}

/** Saves the site as it is at one point in time, while it keeps running. */
export async function saveBackup(
  { database, files }: SiteLocation,
  folder: string,
  { now, report }: { now: number; report: Report },
): Promise<Manifest> {
  await prepareFolder(folder);
  const target = join(folder, 'files');
  // Before the rows, in case files are deleted meanwhile, and after them, for new files.
  if (files) await saveFiles(files, target);
  const { tables, migrations } = await saveTables(database, folder, report);
  if (files) await saveFiles(files, target);
  const saved = files ? await describeFiles(folder) : null;
  const manifest: Manifest = { format: 1, createdAt: now, migrations, tables, files: saved };
  await writeManifest(folder, manifest);
  report(saved ? `files: ${Object.keys(saved).length}` : 'files: in S3, not part of this backup');
  return manifest;
}
