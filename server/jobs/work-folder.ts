import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database } from '../db/connect.ts';
import { isJobRunning } from './queue.ts';

type Place = { config: { dataDir: string } };

const workFolder = ({ config }: Place): string => join(config.dataDir, 'work');

/** A folder of one run of a job, gone when the run has ended: no other run finds or clears it. */
export async function inWorkFolder<T>(
  place: Place,
  jobId: string,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  await mkdir(workFolder(place), { recursive: true });
  const folder = await mkdtemp(join(workFolder(place), `${jobId}-`));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A run that was killed left its folder, which nobody goes on with: each run has one of its own. */
export async function sweepWorkFolders(
  place: Place & { database: Pick<Database, 'db'> },
): Promise<void> {
  const names = await readdir(workFolder(place)).catch(() => []);
  for (const name of names) {
    const [jobId = ''] = name.split('-');
    if (await isJobRunning(place.database.db, jobId)) continue;
    await rm(join(workFolder(place), name), { recursive: true, force: true });
  }
}
