import { createHash } from 'node:crypto';
import { appendFile, readFile, rm, writeFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { connect, type DatabaseSettings } from '../../db/connect.ts';
import { migrations } from '../../db/schema/migrations/list.ts';
import { hashStored } from '../../ports/storage/hash-file.ts';
import type { ListedFile, Storage } from '../../ports/storage/storage.ts';
import { ConsoleProblem } from '../console/service.ts';
import { openSnapshot, type Row, type Snapshot } from './read-tables.ts';
import { fillTables, hasContent, mergeSqliteLog, replaceDatabase } from './restore-backup.ts';
import type { Report } from './save-backup.ts';

export type Place = { database: DatabaseSettings; storage: Storage };

type MoveOptions = {
  now: number;
  report: Report;
  /** Where a move that was interrupted finds out which files it has copied and compared. */
  progressFile: string;
  /** The new store, in words: a move to another one starts anew. */
  storeName: string;
};

type MoveSiteOptions = MoveOptions & { isReplacing: boolean };

/**
 * Copies a whole site to another database and another store. Nothing of the old site changes, so it
 * can go on if the move fails. The old site must be stopped: what it wrote in between would be lost,
 * so the rows of both are compared at the end.
 */
export async function moveSite(from: Place, to: Place, options: MoveSiteOptions): Promise<void> {
  const { now, report, isReplacing } = options;
  if (from.database.kind === 'sqlite') mergeSqliteLog(from.database.file);
  if (!isReplacing) await rejectContent(to.database);
  await moveFiles(from.storage, to.storage, options);
  const snapshot = await openSnapshot(from.database);
  try {
    const names = await readMigrations(snapshot);
    await replaceDatabase(to.database, {
      fill: (tx, dialect) =>
        fillTables(
          tx,
          dialect,
          { migrations: names, tables: listTables(snapshot), read: snapshot.read },
          { now, report },
        ),
      beforeSwap: async () => undefined,
    });
  } finally {
    await snapshot.close();
  }
  await compareRows(from.database, to.database, report);
  await rm(options.progressFile, { force: true });
}

const listTables = ({ tables }: Snapshot): string[] =>
  tables.filter((table) => table !== 'schema_migrations');

async function rejectContent(settings: DatabaseSettings) {
  const database = connect(settings, console);
  if (await hasContent(database).finally(() => database.close()))
    throw new ConsoleProblem(
      'The new database already has a site. Add --replace to overwrite it with this one.',
    );
}

async function readMigrations(snapshot: Snapshot): Promise<string[]> {
  const names: string[] = [];
  for await (const { name } of snapshot.read('schema_migrations')) names.push(String(name));
  if (names.length !== migrations.length)
    throw new ConsoleProblem(
      'The database comes from another version of this program. Start the server once, stop it, and move it then.',
    );
  return names;
}

/** The files that were copied and compared; the first line is the name of the store. */
async function readProgress(file: string, storeName: string): Promise<Set<string>> {
  const text = await readFile(file, 'utf8').catch(() => '');
  const [first, ...lines] = text.split('\n');
  if (first === storeName) return new Set(lines);
  await writeFile(file, `${storeName}\n`);
  return new Set();
}

/**
 * Copies every file that the other store lacks, and compares what arrived. It can run while the site
 * does, and be repeated: a file never changes under its name.
 */
export async function moveFiles(
  from: Storage,
  to: Storage,
  { report, progressFile, storeName }: MoveOptions,
): Promise<void> {
  const files: ListedFile[] = [];
  for await (const file of from.list()) if (!file.key.startsWith('probes/')) files.push(file);
  const copied = await readProgress(progressFile, storeName);
  const total = files.reduce((sum, { size }) => sum + size, 0);
  let [done, bytes, shown] = [0, 0, -1];
  for (const { key, size } of files) {
    const isThere = copied.has(key) && (await to.stat(key))?.size === size;
    if (!isThere && (await copyFile(from, to, key))) await appendFile(progressFile, `${key}\n`);
    done += 1;
    bytes += size;
    const percent = Math.floor((bytes / Math.max(1, total)) * 100);
    if (percent > shown) report(`${done} of ${files.length} files, ${percent} %`);
    shown = percent;
  }
  report(`${files.length} files, ${total} bytes, all compared`);
}

/** False if the file was deleted meanwhile. */
async function copyFile(from: Storage, to: Storage, key: string): Promise<boolean> {
  const source = await from.open(key);
  if (!source) return false;
  const hash = createHash('sha256');
  const hashed = async function* hashed() {
    for await (const chunk of source.stream) {
      hash.update(chunk as Buffer);
      yield chunk as Buffer;
    }
  };
  try {
    await to.put(key, Readable.from(hashed(), { objectMode: false }));
  } finally {
    source.stream.destroy();
  }
  if ((await hashStored(to, key)) !== hash.digest('hex'))
    throw new ConsoleProblem(`${key} arrived damaged in the new store. Run the move again.`);
  return true;
}

/** How many rows a table has, and the sum of their hashes, which doesn't depend on their order. */
export async function summarise(table: string, read: AsyncIterable<Row>): Promise<string> {
  let [rows, sum] = [0, 0n];
  for await (const row of read) {
    if (isRebuilt(table, row)) continue;
    rows += 1;
    const entries = Object.entries(row).toSorted(([a], [b]) => (a < b ? -1 : 1));
    const hash = createHash('sha256').update(JSON.stringify(entries)).digest();
    sum = BigInt.asUintN(64, sum + hash.readBigUInt64BE());
  }
  return `${rows} rows ${sum.toString(16)}`;
}

/** The new site indexes its mixes when it starts. */
const isRebuilt = (table: string, row: Row): boolean =>
  table === 'jobs' && row.unique_key === 'schedule:reindex-search';

const summariseIn = (snapshot: Snapshot, table: string): Promise<string> =>
  summarise(table, snapshot.read(table));

/** Throws if the databases differ: the old site was still running. */
export async function compareRows(from: DatabaseSettings, to: DatabaseSettings, report: Report) {
  const [before, after] = [await openSnapshot(from), await openSnapshot(to)];
  try {
    const different: string[] = [];
    for (const table of listTables(before))
      if ((await summariseIn(before, table)) !== (await summariseIn(after, table)))
        different.push(table);
    if (different.length > 0)
      throw new ConsoleProblem(
        `The old site has changed since it was copied (${different.join(', ')}). Stop it, and run the move again with --replace.`,
      );
    report(`${listTables(before).length} tables, all compared`);
  } finally {
    await before.close();
    await after.close();
  }
}
