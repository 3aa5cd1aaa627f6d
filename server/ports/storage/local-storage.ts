import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { assertStorageKey, probeStorage, type Storage } from './storage.ts';

/** Large, because each read of audio costs a thread of the pool. */
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

export function createLocalStorage(root: string): Storage {
  const pathOf = (key: string) => {
    assertStorageKey(key);
    return join(root, ...key.split('/'));
  };
  const temporary = join(root, '.incoming');

  const storage: Omit<Storage, 'probe'> = {
    async put(key, content) {
      const path = pathOf(key);
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

    async *list(folder) {
      for (const entry of await listFolder(join(root, folder))) {
        const key = `${folder}/${entry.name}`;
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
      if (!file) return null;
      try {
        const { size } = await file.stat();
        return { size, stream: file.createReadStream({ ...range, highWaterMark: READ_BUFFER }) };
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
  return { ...storage, probe: () => probeStorage(storage) };
}
