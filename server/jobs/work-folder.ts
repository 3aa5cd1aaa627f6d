import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database } from '../db/connect.ts';
import { isJobRunning } from './queue.ts';

type DataDir = { config: { dataDir: string } };

const workFolder = ({ config }: DataDir): string => join(config.dataDir, 'work');

/** Gives each run of a job its own folder and deletes it afterwards. */
export async function withWorkFolder<T>(
  deps: DataDir,
  jobId: string,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  await mkdir(workFolder(deps), { recursive: true });
  const folder = await mkdtemp(join(workFolder(deps), `${jobId}-`));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Deletes the folders that killed runs left behind. */
export async function sweepWorkFolders(
  deps: DataDir & { database: Pick<Database, 'db'> },
): Promise<void> {
  const names = await readdir(workFolder(deps)).catch(() => []);
  for (const name of names) {
    const [jobId = ''] = name.split('-');
    if (await isJobRunning(deps.database.db, jobId)) continue;
    await rm(join(workFolder(deps), name), { recursive: true, force: true });
  }
}
