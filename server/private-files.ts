import { chmod, lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** With `accelPrefix`, nginx reads the audio: its user is in the group of the site's user. */
type Settings = { dataDir: string; accelPrefix: string };
type Log = {
  warn: (details: { paths: readonly string[] }, message: string) => void;
};

/** The folder of the audio, the only one that nginx reads. */
const FILES = 'files';

/** New files of this process, and of those that it starts, are for their owner only. */
export function createFilesPrivately({ accelPrefix }: Pick<Settings, 'accelPrefix'>) {
  process.umask(accelPrefix ? 0o027 : 0o077);
}

/** Removes these rights. True if anything changed. */
async function removeRights(path: string, rights: number): Promise<boolean> {
  const found = await lstat(path).catch(() => null);
  if (!found || found.isSymbolicLink() || (found.mode & rights) === 0) return false;
  await chmod(path, found.mode & 0o777 & ~rights);
  return true;
}

async function listRights({ dataDir, accelPrefix }: Settings) {
  const names = await readdir(dataDir);
  const inside = names.map((name) => ({
    path: join(dataDir, name),
    rights: accelPrefix && name === FILES ? 0o007 : 0o077,
  }));
  return [{ path: dataDir, rights: accelPrefix ? 0o067 : 0o077 }, ...inside];
}

/**
 * Makes a data folder that exists already readable by its owner only: the folder, the database with
 * its log, and the folders in it. What is further below can't be reached then.
 */
export async function tightenDataDir(settings: Settings, log: Log): Promise<void> {
  if (process.platform === 'win32') return;
  const tightened: string[] = [];
  const failed: string[] = [];
  for (const { path, rights } of await listRights(settings))
    await removeRights(path, rights).then(
      (isChanged) => isChanged && tightened.push(path),
      () => failed.push(path),
    );
  if (tightened.length > 0)
    log.warn(
      { paths: tightened },
      'Other users of this machine could read the site’s data. Now only its owner can.',
    );
  if (failed.length > 0)
    log.warn(
      { paths: failed },
      'Other users of this machine can read the site’s data, and it belongs to someone else, so that can’t be changed here. Run chmod -R go= on the data folder as its owner.',
    );
}
