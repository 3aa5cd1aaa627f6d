import { constants, createReadStream } from 'node:fs';
import { copyFile, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { hashFile, hashStored } from '../../ports/storage/hash-file.ts';
import type { Storage } from '../../ports/storage/storage.ts';
import { ConsoleProblem } from '../console/service.ts';
import type { Backup } from './manifest.ts';

/** The keys of all stored files, without those that are still being written. */
export async function listFiles(root: string): Promise<string[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true }).catch(
    (error: unknown) => {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw error;
    },
  );
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter((key) => !key.startsWith('.'))
    .toSorted();
}

async function copyToNewFolder(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  await copyFile(from, to, constants.COPYFILE_FICLONE);
}

export type StagedFiles = {
  /** Moves the missing files into place. */
  moveIntoPlace: () => Promise<void>;
  /** Removes them again. */
  undo: () => Promise<void>;
  /** Call once the rows are restored: replaces changed files and deletes those the backup doesn't have. */
  finish: () => Promise<void>;
};

const move = async (from: string, to: string) => {
  await mkdir(dirname(to), { recursive: true });
  await rename(from, to);
};

/** Copies the files of a backup to a folder from which a rename moves them into place. */
export async function stageFiles(
  root: string,
  { manifest, filePath }: Backup,
): Promise<StagedFiles> {
  const saved = manifest.files ?? {};
  // `listFiles` skips names that start with a dot.
  const stage = join(root, '.restoring');
  await rm(stage, { recursive: true, force: true });
  const at = (base: string, key: string) => join(base, ...key.split('/'));
  const before = new Set(await listFiles(root));
  const missing: string[] = [];
  const different: string[] = [];
  for (const [key, { sha256 }] of Object.entries(saved)) {
    const isHere = before.has(key);
    if (isHere && (await hashFile(at(root, key))).sha256 === sha256) continue;
    await copyToNewFolder(filePath(key), at(stage, key));
    (isHere ? different : missing).push(key);
  }
  return {
    moveIntoPlace: async () => {
      for (const key of missing) await move(at(stage, key), at(root, key));
    },
    undo: async () => {
      for (const key of missing) await rm(at(root, key), { force: true });
      await rm(stage, { recursive: true, force: true });
    },
    finish: async () => {
      for (const key of different) await move(at(stage, key), at(root, key));
      for (const key of await listFiles(root))
        if (!(key in saved)) await rm(at(root, key), { force: true });
      await rm(stage, { recursive: true, force: true });
    },
  };
}

async function upload(store: Storage, key: string, path: string, sha256: string) {
  await store.put(key, createReadStream(path));
  if ((await hashStored(store, key)) !== sha256)
    throw new ConsoleProblem(`${key} arrived damaged in the store. Restore the backup again.`);
}

/**
 * The same for a store: a file never changes under its name, so those that are missing can arrive
 * before the rows.
 */
export async function stageInStore(
  store: Storage,
  { manifest, filePath }: Backup,
): Promise<StagedFiles> {
  const saved = manifest.files ?? {};
  const before = new Set<string>();
  for await (const { key } of store.list()) before.add(key);
  const missing = Object.entries(saved).filter(([key]) => !before.has(key));
  return {
    moveIntoPlace: async () => {
      for (const [key, { sha256 }] of missing) await upload(store, key, filePath(key), sha256);
    },
    undo: async () => {
      for (const [key] of missing) await store.delete(key);
    },
    finish: async () => {
      for (const [key, { sha256 }] of Object.entries(saved))
        if (before.has(key) && (await hashStored(store, key)) !== sha256)
          await upload(store, key, filePath(key), sha256);
      for (const key of before) if (!(key in saved)) await store.delete(key);
    },
  };
}
