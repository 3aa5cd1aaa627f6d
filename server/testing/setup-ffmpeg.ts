import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { DAY } from '#contract/rules/time.ts';
import type {} from './vitest-context.ts';

const folder = join(import.meta.dirname, '..', '..', '.cache', 'ffmpeg');

/** Many tests encode files with names of their own, which no later run asks for again. */
const KEPT_MS = 2 * DAY;

async function removeUnused(): Promise<void> {
  for (const name of await readdir(folder)) {
    const { mtimeMs } = await stat(join(folder, name));
    if (mtimeMs < Date.now() - KEPT_MS)
      await rm(join(folder, name), { recursive: true, force: true });
  }
}

/** A folder in which all processes of all test runs share ffmpeg's output. */
export const setup = async (project: TestProject): Promise<void> => {
  await mkdir(folder, { recursive: true });
  await removeUnused();
  project.provide('ffmpegRuns', folder);
};
