import { constants } from 'node:fs';
import { copyFile, link, mkdir, readdir } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';

/** What is there, by its key; what is still being written is not. */
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

export async function copyWhole(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  await copyFile(from, to, constants.COPYFILE_FICLONE);
}

const isCode = (error: unknown, ...codes: string[]) =>
  codes.includes((error as NodeJS.ErrnoException).code ?? '');

/** A stored file is never written to again, so a second name for it is as good as a copy. */
async function saveFile(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  try {
    await link(from, to);
  } catch (error) {
    // Saved already, or dropped since it was listed.
    if (isCode(error, 'EEXIST', 'ENOENT')) return;
    if (!isCode(error, 'EXDEV', 'EPERM', 'ENOTSUP', 'EMLINK')) throw error;
    await copyWhole(from, to).catch((problem: unknown) => {
      if (!isCode(problem, 'ENOENT')) throw problem;
    });
  }
}

export async function saveFiles(root: string, target: string): Promise<void> {
  for (const key of await listFiles(root))
    await saveFile(join(root, ...key.split('/')), join(target, ...key.split('/')));
}
