import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { hashFile } from '../../hash-file.ts';
import { filePath, type Manifest } from './manifest.ts';
import { copyWhole, listFiles } from './save-files.ts';

export type StagedFiles = {
  /** Puts those that are not here yet beside the others. */
  place: () => Promise<void>;
  /** Takes away again what was put there. */
  undo: () => Promise<void>;
  /** Once the rows that name them are in place: nothing but the files of the backup. */
  finish: () => Promise<void>;
};

const move = async (from: string, to: string) => {
  await mkdir(dirname(to), { recursive: true });
  await rename(from, to);
};

/** Copies what a backup holds to where it can be moved into place without copying. */
export async function stageFiles(
  root: string,
  folder: string,
  saved: NonNullable<Manifest['files']>,
): Promise<StagedFiles> {
  // Names that begin with a point are no files of the site.
  const stage = join(root, '.restoring');
  await rm(stage, { recursive: true, force: true });
  const at = (base: string, key: string) => join(base, ...key.split('/'));
  const before = new Set(await listFiles(root));
  const missing: string[] = [];
  const different: string[] = [];
  for (const [key, { sha256 }] of Object.entries(saved)) {
    const isHere = before.has(key);
    if (isHere && (await hashFile(at(root, key))).sha256 === sha256) continue;
    await copyWhole(filePath(folder, key), at(stage, key));
    (isHere ? different : missing).push(key);
  }
  return {
    place: async () => {
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
