import { createHash, randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import {
  appendFile,
  chmod,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import { hashFile } from '../../ports/storage/hash-file.ts';
import { ConsoleProblem } from '../console/service.ts';
import { findKept } from './kept-days.ts';
import {
  DAYS,
  formatManifest,
  isThere,
  listDays,
  listEntries,
  objectPath,
  openDay,
  type Backup,
  type Entry,
  type Manifest,
} from './manifest.ts';
import type { Report } from './save-backup.ts';

/**
 * A folder of backups. `files` has what they consist of, each under its SHA-256 and once; `days` has a
 * manifest for each backup, which names all of it and is written last. Nothing that a manifest names is
 * ever written again, so whatever stops a run leaves the backups before it whole.
 */
const MARKER = 'weekender-backups.json';
const INCOMING = 'incoming';
const KNOWN = 'known.jsonl';

const Marker = z.object({ id: z.string() });

/** A disk has names of its own, and a first run that was killed leaves a draft. */
const isForeign = (name: string) =>
  !name.startsWith('.') && name !== 'lost+found' && name !== INCOMING;

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? '';

/** The repository's id, or null if there is none in this folder. */
export async function findRepository(folder: string): Promise<string | null> {
  const text = await readFile(join(folder, MARKER), 'utf8').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  });
  if (text === null) return null;
  try {
    return Marker.parse(JSON.parse(text)).id;
  } catch {
    throw new ConsoleProblem(`${join(folder, MARKER)} is damaged. Check the disk.`);
  }
}

async function createRepository(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if ((await readdir(folder)).some(isForeign))
    throw new ConsoleProblem(
      `${folder} has other files. Choose an empty folder, which the backups have to themselves.`,
    );
  const id = randomBytes(16).toString('hex');
  await writeWhole(folder, join(folder, MARKER), JSON.stringify({ id }));
  return id;
}

/** Opens the repository in this folder, or begins one there, and removes what a killed run left. */
export async function openRepository(folder: string, report: Report): Promise<string> {
  const id = (await findRepository(folder)) ?? (await createRepository(folder));
  // It has everything that the database has: keys, addresses, hashes of passwords.
  await chmod(folder, 0o700).catch(() =>
    report(`${folder} has no permissions of its own: others on this machine may read the backups.`),
  );
  return id;
}

async function sync(path: string) {
  const file = await open(path, 'r+');
  await file.sync().finally(() => file.close());
}

/** A rename is durable once its folder is synced, where a folder can be. */
async function syncFolder(path: string) {
  const folder = await open(path, 'r').catch(() => null);
  await folder?.sync().catch(() => undefined);
  await folder?.close();
}

async function createDraft(folder: string): Promise<string> {
  await mkdir(join(folder, INCOMING), { recursive: true });
  return join(folder, INCOMING, randomBytes(16).toString('hex'));
}

async function moveDraft(draft: string, path: string) {
  await mkdir(dirname(path), { recursive: true });
  await rename(draft, path);
  await syncFolder(dirname(path));
}

/** Writes or replaces a file of the repository in one step. */
export async function writeWhole(folder: string, path: string, text: string): Promise<void> {
  const draft = await createDraft(folder);
  await writeFile(draft, text, { flush: true });
  await moveDraft(draft, path);
}

/** Keeps these bytes, unless they are kept already. */
export async function storeObject(folder: string, source: Readable): Promise<Entry> {
  const draft = await createDraft(folder);
  const hash = createHash('sha256');
  let size = 0;
  async function* count(chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      hash.update(chunk);
      size += chunk.length;
      yield chunk;
    }
  }
  await pipeline(source, count, createWriteStream(draft, { flags: 'wx' }));
  const entry = { size, sha256: hash.digest('hex') };
  if (await hasObject(folder, entry)) await rm(draft);
  else {
    await sync(draft);
    await moveDraft(draft, objectPath(folder, entry.sha256));
  }
  return entry;
}

export const hasObject = (folder: string, entry: Entry): Promise<boolean> =>
  isThere(objectPath(folder, entry.sha256), entry);

const DAMAGED = '.damaged';

/** Also those that are set aside. */
const listDayFiles = async (folder: string): Promise<string[]> =>
  (await readdir(join(folder, DAYS)).catch(() => []))
    .filter((name) => /^\d{6}-/.test(name))
    .toSorted();

/** Makes a backup of what is stored. */
export async function writeDay(folder: string, manifest: Manifest): Promise<void> {
  const last = (await listDayFiles(folder)).at(-1) ?? '0';
  const number = String(Number.parseInt(last, 10) + 1).padStart(6, '0');
  const time = new Date(manifest.createdAt).toISOString().replaceAll(':', '-');
  const name = `${number}-${time}.json`;
  await writeWhole(folder, join(folder, DAYS, name), formatManifest(manifest));
}

/** A file of the site: its key, its size and when it was last changed. */
const KnownFile = z.tuple([z.string(), z.number(), z.number(), z.string()]);

export type KnownFiles = {
  size: number;
  /** The hash that a file had when it was stored, if it is the same file since. */
  find: (file: { key: string; size: number; modifiedAt: number }) => string | null;
  add: (file: { key: string; size: number; modifiedAt: number }, sha256: string) => Promise<void>;
  /** Keeps only these. */
  keep: (keys: ReadonlySet<string>) => Promise<void>;
};

/** A line that was cut off by a kill, or can't be read, is a file that is read again. */
function parseKnown(text: string): [string, z.infer<typeof KnownFile>][] {
  return text.split('\n').flatMap((line) => {
    try {
      const known = KnownFile.parse(JSON.parse(line));
      return [[known[0], known]];
    } catch {
      return [];
    }
  });
}

/** What a run stored is known to the next one, even if it was killed. */
export async function readKnownFiles(folder: string): Promise<KnownFiles> {
  const path = join(folder, KNOWN);
  const known = new Map(parseKnown(await readFile(path, 'utf8').catch(() => '')));
  return {
    size: known.size,
    find: ({ key, size, modifiedAt }) => {
      const found = known.get(key);
      return found && found[1] === size && found[2] === modifiedAt ? found[3] : null;
    },
    add: async ({ key, size, modifiedAt }, sha256) => {
      known.set(key, [key, size, modifiedAt, sha256]);
      await appendFile(path, `\n${JSON.stringify(known.get(key))}\n`);
    },
    keep: async (keys) => {
      const lines = [...known.values()].filter(([key]) => keys.has(key));
      await writeWhole(folder, path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    },
  };
}

async function* listObjects(folder: string): AsyncGenerator<{ path: string; name: string }> {
  const files = join(folder, 'files');
  for (const start of await readdir(files).catch(() => []))
    for (const name of await readdir(join(files, start)))
      yield { path: join(files, start, name), name };
}

/**
 * Reads every byte of every backup. What isn't what its name says is set aside, so that the next run
 * copies it again if the site still has it. Returns what is missing then, by the backups that need it.
 */
export async function findDamage(folder: string): Promise<Map<string, string[]>> {
  for await (const { path, name } of listObjects(folder)) {
    const { sha256 } = await hashFile(path);
    const isWhole = name.startsWith(sha256);
    const isSetAside = name.endsWith(DAMAGED);
    if (isWhole && isSetAside) await rename(path, path.slice(0, -DAMAGED.length));
    if (!isWhole && !isSetAside) await rename(path, path + DAMAGED);
  }
  const damage = new Map<string, string[]>();
  for (const name of await listDays(folder)) {
    const entries = listEntries(await openDay(folder, name));
    for (const [path, entry] of entries)
      if (!(await isThere(path, entry))) damage.set(path, [...(damage.get(path) ?? []), name]);
  }
  return damage;
}

/** What a run that was killed left half written. */
export const removeDrafts = (folder: string): Promise<void> =>
  rm(join(folder, INCOMING), { recursive: true, force: true });

/**
 * A manifest that can’t be read is set aside, so that the nights go on, and taken back once a disk finds
 * its bytes again. Returns the days that are set aside.
 */
async function setAsideDays(folder: string): Promise<string[]> {
  const damaged: string[] = [];
  for (const name of await listDayFiles(folder)) {
    const day = name.endsWith(DAMAGED) ? name.slice(0, -DAMAGED.length) : name;
    const isWhole = await openDay(folder, name).then(
      () => true,
      () => false,
    );
    const right = isWhole ? day : day + DAMAGED;
    if (name !== right) await rename(join(folder, DAYS, name), join(folder, DAYS, right));
    if (!isWhole) damaged.push(day);
  }
  return damaged;
}

export type KeptBackups = {
  /** When the backups were made that are kept, oldest first. */
  kept: number[];
  /** Days whose manifests can’t be read. Nobody knows what they need, so nothing is removed. */
  unreadable: string[];
};

/** Removes the backups that the rule doesn't keep, and then what no backup names any more. */
export async function prune(folder: string): Promise<KeptBackups> {
  const unreadable = await setAsideDays(folder);
  const backups = new Map<string, Backup>();
  for (const name of await listDays(folder)) backups.set(name, await openDay(folder, name));
  const days = [...backups].map(([name, { manifest }]) => ({ name, at: manifest.createdAt }));
  if (unreadable.length > 0) return { kept: days.map(({ at }) => at), unreadable };
  const keeping = findKept(days);
  for (const { name } of days) if (!keeping.has(name)) await rm(join(folder, DAYS, name));
  await syncFolder(join(folder, DAYS));
  const named = new Set<string>();
  for (const [name, backup] of backups)
    if (keeping.has(name)) for (const [path] of listEntries(backup)) named.add(path);
  for await (const { path, name } of listObjects(folder)) {
    const isDamaged = name.endsWith(DAMAGED);
    const whole = isDamaged ? path.slice(0, -DAMAGED.length) : path;
    const isNeeded = named.has(whole) && !(isDamaged && (await isAnythingThere(whole)));
    if (!isNeeded) await rm(path);
  }
  return { kept: days.filter(({ name }) => keeping.has(name)).map(({ at }) => at), unreadable };
}

const isAnythingThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );
