import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Deps } from '../../deps.ts';

export const workFolder = ({ dataDir }: Deps['config']): string => join(dataDir, 'work');

/** A folder of one run of a job, gone when the run has ended: no other run finds or clears it. */
export async function inWorkFolder<T>(
  { config }: Deps,
  jobId: string,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  await mkdir(workFolder(config), { recursive: true });
  const folder = await mkdtemp(join(workFolder(config), `${jobId}-`));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
