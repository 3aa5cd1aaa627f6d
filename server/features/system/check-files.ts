import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Deps } from '../../deps.ts';
import { MARKER } from '../../ports/storage/local-storage.ts';
import { StartProblem } from '../../start-problem.ts';

const SAMPLE = 20;

/**
 * Throws if the database has mixes, but the folder has none of their files: its disk isn't mounted, or
 * only the database was restored. Files that arrive there would be lost once it is put right.
 */
export async function checkFiles({
  config,
  database,
  storage,
}: Pick<Deps, 'config' | 'database' | 'storage'>): Promise<void> {
  const { localPath, rememberFolder } = storage;
  if (!localPath || !rememberFolder) return;
  const folder = join(config.dataDir, 'files');
  if (!existsSync(join(folder, MARKER))) {
    const rows = await database.db
      .selectFrom('renditions')
      .select('key')
      .orderBy('track_id', 'desc')
      .limit(SAMPLE)
      .execute();
    if (rows.length > 0 && !rows.some(({ key }) => existsSync(localPath(key))))
      throw new StartProblem(
        `The database has mixes, but their files are missing from ${folder}. Mount the disk they are on, or restore them from the backup that the database came from, then start again.`,
      );
  }
  await rememberFolder();
}
