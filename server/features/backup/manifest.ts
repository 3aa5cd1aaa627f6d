import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { z } from 'zod';
import { hashFile } from '../../ports/storage/hash-file.ts';
import { ConsoleProblem } from '../console/service.ts';
import type { Row } from './read-tables.ts';

const Entry = z.object({ size: z.int().min(0), sha256: z.string().regex(/^[0-9a-f]{64}$/) });
export type Entry = z.infer<typeof Entry>;

/** A relative path of plain names, so that nothing in a manifest leaves its folder. */
const FilePath = z.string().regex(/^[a-z0-9][\w.-]*(?:\/[a-z0-9][\w.-]*)*$/i);
const Name = z.string().regex(/^[a-z_0-9]+$/);

const Manifest = z.object({
  /** 1 is a folder of its own, as version 1.0.0 made them; 2 is a day of a repository. */
  format: z.literal([1, 2]),
  createdAt: z.int(),
  /** In the order they ran. They produced the tables of this backup. */
  migrations: z.array(z.string()),
  /** What is counted and hashed is what lies on the disk: in a repository, compressed. */
  tables: z.record(Name, Entry.extend({ rows: z.int().min(0) })),
  /** Null when the files are not part of the backup. */
  files: z.record(FilePath, Entry).nullable(),
});
export type Manifest = z.infer<typeof Manifest>;

/** One backup, wherever its bytes are. */
export type Backup = {
  /** What people call it. */
  path: string;
  manifest: Manifest;
  tablePath: (table: string) => string;
  filePath: (key: string) => string;
  readTable: (table: string) => AsyncIterable<Row>;
};

/** In a repository, a manifest for each backup. */
export const DAYS = 'days';

/** In a repository, where bytes with this hash are kept, once, whoever names them. */
export const objectPath = (repository: string, sha256: string): string =>
  join(repository, 'files', sha256.slice(0, 2), sha256);

const hashText = (text: string) => createHash('sha256').update(text).digest('hex');

/** A manifest names its own hash, because nothing else would notice a changed byte in it. */
export const formatManifest = (manifest: Manifest): string =>
  JSON.stringify({ ...manifest, checksum: hashText(JSON.stringify(manifest)) });

/** Version 1.0.0 wrote none. */
const Stored = z.looseObject({ checksum: z.string().optional() });

function parseManifest(text: string): Manifest {
  const { checksum, ...stored } = Stored.parse(JSON.parse(text));
  const manifest = Manifest.parse(stored);
  if (manifest.format === 2 && checksum !== hashText(JSON.stringify(stored)))
    throw new Error('The manifest has changed since it was saved.');
  return manifest;
}

async function* readLines(stream: Readable): AsyncGenerator<string> {
  let rest = '';
  stream.setEncoding('utf8');
  for await (const chunk of stream) {
    const lines = (rest + String(chunk)).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest) yield rest;
}

async function* readRows(path: string, isCompressed: boolean): AsyncGenerator<Row> {
  const file = createReadStream(path);
  // An error of the file destroys what reads it, and so reaches us.
  const text = isCompressed ? pipeline(file, createGunzip(), () => undefined) : file;
  for await (const line of readLines(text)) yield JSON.parse(line) as Row;
}

/** The names of the days, oldest first: they begin with a number, because clocks can be wrong. */
export async function listDays(repository: string): Promise<string[]> {
  const names = await readdir(join(repository, DAYS)).catch(() => []);
  return names.filter((name) => /^\d{6}-.+\.json$/.test(name)).toSorted();
}

async function openManifest(path: string, label: string): Promise<Manifest> {
  try {
    return parseManifest(await readFile(path, 'utf8'));
  } catch {
    throw new ConsoleProblem(
      `${label} is not a complete backup: its manifest is missing or invalid.`,
    );
  }
}

export async function openDay(repository: string, name: string): Promise<Backup> {
  const path = join(repository, DAYS, name);
  const manifest = await openManifest(path, path);
  const locate = (entry: Entry | undefined) => objectPath(repository, entry?.sha256 ?? '');
  const tablePath = (table: string) => locate(manifest.tables[table]);
  return {
    path,
    manifest,
    tablePath,
    filePath: (key) => locate(manifest.files?.[key]),
    readTable: (table) => readRows(tablePath(table), true),
  };
}

async function openFolder(folder: string): Promise<Backup> {
  const manifest = await openManifest(join(folder, 'manifest.json'), folder);
  const tablePath = (table: string) => join(folder, 'tables', `${table}.jsonl`);
  return {
    path: folder,
    manifest,
    tablePath,
    filePath: (key) => join(folder, 'files', ...key.split('/')),
    readTable: (table) => readRows(tablePath(table), false),
  };
}

/** A repository stands for its newest backup; one of its days, or a folder of version 1.0.0, for itself. */
export async function openBackup(place: string): Promise<Backup> {
  const path = resolve(place);
  if (path.endsWith('.json') && basename(dirname(path)) === DAYS)
    return openDay(dirname(dirname(path)), basename(path));
  const newest = (await listDays(path)).at(-1);
  return newest ? openDay(path, newest) : openFolder(path);
}

/** What a backup consists of, and where that is. */
export function listEntries({ manifest, tablePath, filePath }: Backup): [string, Entry][] {
  const { tables, files } = manifest;
  return [
    ...Object.entries(tables).map(([table, entry]): [string, Entry] => [tablePath(table), entry]),
    ...Object.entries(files ?? {}).map(([key, entry]): [string, Entry] => [filePath(key), entry]),
  ];
}

export const isThere = (path: string, { size }: Pick<Entry, 'size'>): Promise<boolean> =>
  stat(path).then(
    (found) => found.size === size,
    () => false,
  );

/** Checks every byte before anything is restored. */
export async function checkBackup(backup: Backup): Promise<void> {
  for (const [path, entry] of listEntries(backup)) {
    const isSame = (await isThere(path, entry)) && (await hashFile(path)).sha256 === entry.sha256;
    if (!isSame)
      throw new ConsoleProblem(
        `The backup is damaged: ${path} is missing, or has changed since it was saved. Nothing was restored.`,
      );
  }
}
