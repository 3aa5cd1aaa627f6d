import { constants } from 'node:fs';
import { copyFile, link, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { hashFile } from '../../ports/storage/hash-file.ts';
import { filePath, type Manifest } from './manifest.ts';

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

const isCode = (error: unknown, ...codes: string[]) =>
  codes.includes((error as NodeJS.ErrnoException).code ?? '');

/** A stored file never changes, so a hard link is as good as a copy. */
async function saveFile(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  try {
    await link(from, to);
  } catch (error) {
    // Already saved, or deleted since we listed it.
    if (isCode(error, 'EEXIST', 'ENOENT')) return;
    if (!isCode(error, 'EXDEV', 'EPERM', 'ENOTSUP', 'EMLINK')) throw error;
    await copyToNewFolder(from, to).catch((problem: unknown) => {
      if (!isCode(problem, 'ENOENT')) throw problem;
    });
  }
}

const isPart = (key: string): boolean => key.startsWith('uploads/');

/**
 * The parts of uploads first: when one is gone, its bytes are in a master already, which is listed
 * afterwards.
 */
export async function saveFiles(root: string, target: string): Promise<void> {
  const save = (key: string) =>
    saveFile(join(root, ...key.split('/')), join(target, ...key.split('/')));
  for (const key of (await listFiles(root)).filter(isPart)) await save(key);
  for (const key of await listFiles(root)) if (!isPart(key)) await save(key);
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
  folder: string,
  saved: NonNullable<Manifest['files']>,
): Promise<StagedFiles> {
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
    await copyToNewFolder(filePath(folder, key), at(stage, key));
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
