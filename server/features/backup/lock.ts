import { randomBytes } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { MINUTE, SECOND } from '#contract/rules/time.ts';
import { ConsoleProblem } from '../console/service.ts';
import { writeWhole } from './repository.ts';

const RENEWED_EVERY = 30 * SECOND;
/** Long enough for a machine that is busy with a large table. */
const LOST_AFTER = 10 * MINUTE;

const Lock = z.object({ id: z.string(), host: z.string(), pid: z.int(), at: z.int() });
type Lock = z.infer<typeof Lock>;

/** A backup is running already: nothing is wrong. */
export class BackupIsRunning extends ConsoleProblem {
  override name = 'BackupIsRunning';
}

function isProcess(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** The folder may be on another machine, so only a lock of this one can be asked for its process. */
const isHeld = ({ host, pid, at }: Lock, now: number): boolean =>
  Math.abs(now - at) < LOST_AFTER && (host !== hostname() || isProcess(pid));

async function readLock(path: string): Promise<Lock | null> {
  try {
    return Lock.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch {
    return null;
  }
}

/** One run at a time works in a repository. `confirm` rejects once another one has taken over. */
export async function withLock<T>(
  folder: string,
  clock: () => number,
  work: (confirm: () => Promise<void>) => Promise<T>,
): Promise<T> {
  const path = join(folder, 'lock');
  const id = randomBytes(16).toString('hex');
  const format = () => JSON.stringify({ id, host: hostname(), pid: process.pid, at: clock() });
  const other = await readLock(path);
  if (other && isHeld(other, clock()))
    throw new BackupIsRunning(
      `Another backup into ${folder} is running (process ${other.pid} on ${other.host}). Wait until it ends.`,
    );
  await rm(path, { force: true });
  await writeFile(path, format(), { flag: 'wx' }).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    throw new BackupIsRunning(`Another backup into ${folder} has just begun.`);
  });
  const confirm = async () => {
    if ((await readLock(path))?.id !== id)
      throw new BackupIsRunning(`Another backup into ${folder} took over.`);
  };
  const renewing = setInterval(() => {
    confirm()
      .then(
        () => writeWhole(folder, path, format()),
        () => undefined,
      )
      .catch(() => undefined);
  }, RENEWED_EVERY);
  renewing.unref();
  try {
    return await work(confirm);
  } finally {
    clearInterval(renewing);
    if ((await readLock(path))?.id === id) await rm(path, { force: true });
  }
}
