import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { assertStorageKey, probeStorage, type Storage } from './storage.ts';

/** Large, because each read of audio costs a thread of the pool; small files take only their size. */
const READ_BUFFER = 1024 * 1024;

/** For a file that was deleted meanwhile, or never existed. */
function nullIfMissing(error: unknown) {
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
  throw error;
}

async function writeDurably(path: string, content: Uint8Array | Readable) {
  const file = await open(path, 'wx');
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function sync(path: string, flags: 'r' | 'r+') {
  const file = await open(path, flags);
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/** A rename is durable once its folder is synced. Windows cannot open folders. */
async function syncFolder(path: string) {
  if (process.platform !== 'win32') await sync(path, 'r');
}

const listFolder = async (path: string) =>
  (await readdir(path, { withFileTypes: true }).catch(nullIfMissing)) ?? [];

/** Hidden, so that it is no stored file. */
export const MARKER = '.folder-id';

/** Rejects if the folder isn't the one it was when it was remembered. */
function createFolderCheck(root: string) {
  const path = join(root, MARKER);
  let known: string | null = null;
  return {
    async remember() {
      await mkdir(root, { recursive: true });
      await writeFile(path, randomBytes(16).toString('hex'), { flag: 'wx' }).catch(
        (error: unknown) => {
          if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
        },
      );
      known = await readFile(path, 'utf8');
    },
    async check() {
      if (known === null || (await readFile(path, 'utf8').catch(nullIfMissing)) === known) return;
      const message = `The folder ${root} isn’t the one with this site’s files. Is its disk mounted?`;
      throw Object.assign(new Error(message), { code: 'ENODEV' });
    },
  };
}

export function createLocalStorage(root: string): Storage {
  const place = createFolderCheck(root);
  const pathOf = (key: string) => {
    assertStorageKey(key);
    return join(root, ...key.split('/'));
  };
  const temporary = join(root, '.incoming');

  const storage: Omit<Storage, 'probe'> = {
    async put(key, content) {
      const path = pathOf(key);
      await place.check();
      await mkdir(temporary, { recursive: true });
      await mkdir(dirname(path), { recursive: true });
      const draft = join(temporary, randomBytes(16).toString('hex'));
      try {
        await writeDurably(draft, content);
        await rename(draft, path);
      } catch (error) {
        await rm(draft, { force: true });
        throw error;
      }
      await syncFolder(dirname(path));
    },

    async adopt(key, path) {
      const target = pathOf(key);
      await place.check();
      await mkdir(dirname(target), { recursive: true });
      await sync(path, 'r+');
      try {
        await rename(path, target);
      } catch (error) {
        // A file cannot be moved to another disk.
        if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error;
        await storage.put(key, createReadStream(path, { highWaterMark: READ_BUFFER }));
        await rm(path, { force: true });
      }
      await syncFolder(dirname(target));
    },

    async *list(below = '') {
      for (const entry of await listFolder(join(root, below))) {
        // Drafts of files are in a hidden folder.
        if (entry.name.startsWith('.')) continue;
        const key = below ? `${below}/${entry.name}` : entry.name;
        if (entry.isDirectory()) yield* storage.list(key);
        const found = entry.isFile() ? await stat(join(root, key)).catch(nullIfMissing) : null;
        if (found) yield { key, size: found.size, modifiedAt: found.mtimeMs };
      }
    },

    async deleteUnfinished(before) {
      for (const entry of await listFolder(temporary)) {
        const path = join(temporary, entry.name);
        const found = await stat(path).catch(nullIfMissing);
        if (found && found.mtimeMs < before) await rm(path, { force: true });
      }
    },

    async open(key, range) {
      const file = await open(pathOf(key), 'r').catch(nullIfMissing);
      if (!file) {
        await place.check();
        return null;
      }
      try {
        const { size } = await file.stat();
        const highWaterMark = Math.min(size + 1, READ_BUFFER);
        return { size, stream: file.createReadStream({ ...range, highWaterMark }) };
      } catch (error) {
        await file.close();
        throw error;
      }
    },

    async stat(key) {
      const found = await stat(pathOf(key)).catch(nullIfMissing);
      return found && { size: found.size };
    },

    presignRead: null,
    localPath: pathOf,

    async delete(key) {
      await rm(pathOf(key), { force: true });
    },
  };
  const probe = async () => {
    await place.check();
    await probeStorage(storage);
  };
  return { ...storage, probe, rememberFolder: place.remember };
}
