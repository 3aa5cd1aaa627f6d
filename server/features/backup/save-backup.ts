import { pipeline, Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import type { DatabaseSettings } from '../../db/connect.ts';
import { createLocalStorage } from '../../ports/storage/local-storage.ts';
import { isStorageKey, type ListedFile, type Storage } from '../../ports/storage/storage.ts';
import { ConsoleProblem } from '../console/service.ts';
import type { Entry, Manifest } from './manifest.ts';
import { openSnapshot, type Row, type Snapshot } from './read-tables.ts';
import { hasObject, readKnownFiles, storeObject, writeDay, type KnownFiles } from './repository.ts';

export type SiteLocation = {
  database: DatabaseSettings;
  /** The folder of the files; null when they are elsewhere. */
  files: string | null;
  /** The store that they are in then; without one, they are left alone. */
  store?: Storage;
};

export type Report = (line: string) => void;

const openStorage = ({ files, store }: SiteLocation): Storage | null =>
  store ?? (files === null ? null : createLocalStorage(files));

async function saveTable(snapshot: Snapshot, table: string, folder: string) {
  let rows = 0;
  async function* writeLines(source: AsyncIterable<Row>) {
    for await (const row of source) {
      rows += 1;
      yield `${JSON.stringify(row)}\n`;
    }
  }
  const lines = Readable.from(writeLines(snapshot.read(table)));
  // What fails in one of them destroys the other, and so reaches us.
  const compressed = pipeline(lines, createGzip(), () => undefined);
  return { ...(await storeObject(folder, compressed)), rows };
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

const isPart = ({ key }: ListedFile) => key.startsWith('uploads/');
const isProbe = ({ key }: ListedFile) => key.startsWith('probes/');

/**
 * The parts of uploads first: when one is gone, its bytes are in a master already, which is listed
 * afterwards.
 */
async function* listFiles(storage: Storage): AsyncGenerator<ListedFile> {
  yield* storage.list('uploads');
  for await (const file of storage.list()) if (!isPart(file) && !isProbe(file)) yield file;
}

type SavedFiles = { files: Record<string, Entry>; copied: number; bytes: number };

/** Keeps what isn't kept yet. A file that is the same as when it was stored isn't read again. */
async function saveFiles(
  storage: Storage,
  folder: string,
  { known, saved, report }: { known: KnownFiles; saved: SavedFiles; report: Report },
) {
  for await (const file of listFiles(storage)) {
    if (!isStorageKey(file.key)) {
      report(`${file.key}: not a file of the site, left out`);
      continue;
    }
    const sha256 = known.find(file);
    const entry = sha256 && { size: file.size, sha256 };
    if (entry && (await hasObject(folder, entry))) {
      saved.files[file.key] = entry;
      continue;
    }
    const source = await storage.open(file.key);
    // Deleted since it was listed.
    if (!source) continue;
    const stored = await storeObject(folder, source.stream);
    await known.add({ ...file, size: stored.size }, stored.sha256);
    saved.files[file.key] = stored;
    saved.copied += 1;
    saved.bytes += stored.size;
    report(`${file.key}: copied`);
  }
}

export type SavedBackup = { manifest: Manifest; copied: number; bytes: number };

type SaveOptions = {
  now: number;
  report: Report;
  /** Rejects if another run has taken over. */
  confirm?: () => Promise<void>;
};

/** Saves the site as it is at one point in time, while it keeps running, into an open repository. */
export async function saveBackup(
  site: SiteLocation,
  folder: string,
  { now, report, confirm }: SaveOptions,
): Promise<SavedBackup> {
  const storage = openStorage(site);
  const known = await readKnownFiles(folder);
  const saved: SavedFiles = { files: {}, copied: 0, bytes: 0 };
  const options = { known, saved, report };
  // Before the rows, in case files are deleted meanwhile, and after them, for new files.
  if (storage) await saveFiles(storage, folder, options);
  const { tables, migrations } = await saveTables(site.database, folder, report);
  if (storage) await saveFiles(storage, folder, options);
  const { files, copied, bytes } = saved;
  if (storage && known.size > 0 && Object.keys(files).length === 0)
    throw new ConsoleProblem(
      'The site’s files are gone. Is their disk mounted? The backups that have them stay as they are.',
    );
  const manifest: Manifest = {
    format: 2,
    createdAt: now,
    migrations,
    tables,
    files: storage ? files : null,
  };
  await confirm?.();
  await writeDay(folder, manifest);
  if (storage) await known.keep(new Set(Object.keys(files)));
  return { manifest, copied, bytes };
}
