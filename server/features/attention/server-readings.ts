import { readFile, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { DAY, HOUR, MINUTE } from '#contract/rules/time.ts';
import type { Deps } from '../../deps.ts';
import { readClockOffset } from '../../db/database-clock.ts';
import { readDiskSpace, type ReadDiskSpace } from '../../ports/storage/disk-space.ts';

const EVERY_MS = 10 * MINUTE;
/** A server that has been silent for longer is gone, or can’t read its disk. */
export const FRESH_MS = 3 * EVERY_MS;
/** How long the readings of each hour are kept: enough to see a week ahead. */
const KEPT_MS = 8 * DAY;

/**
 * The name of the first server that used this data folder. A container that is created anew has a new
 * name and the same disk, whose trend goes on.
 */
async function readServerName(dataDir: string): Promise<string> {
  const file = join(dataDir, 'server-name');
  await writeFile(file, hostname(), { flag: 'wx' }).catch(() => undefined);
  const name = await readFile(file, 'utf8').catch(() => '');
  // Empty if the disk was full.
  return /^[\w.-]{1,255}$/.test(name) ? name : hostname();
}

/** What only this server can read: its disk and its clock. */
export async function noteServer(
  { database, config, clock }: Pick<Deps, 'database' | 'config' | 'clock'>,
  readSpace: ReadDiskSpace = readDiskSpace,
): Promise<void> {
  const { db } = database;
  const now = clock.now();
  const server = await readServerName(config.dataDir);
  const { free, size } = await readSpace(config.dataDir);
  const reading = {
    read_at: now,
    free_bytes: free,
    size_bytes: size,
    clock_offset: await readClockOffset(database),
  };
  await db
    .insertInto('server_readings')
    .values({ server, ...reading })
    .onConflict((conflict) => conflict.column('server').doUpdateSet(reading))
    .execute();
  const hour = now - (now % HOUR);
  await db
    .insertInto('disk_readings')
    .values({ server, hour, free_bytes: free })
    .onConflict((conflict) =>
      conflict
        .columns(['server', 'hour'])
        .doUpdateSet({ free_bytes: free })
        .where('disk_readings.free_bytes', '>', free),
    )
    .execute();
  await db
    .deleteFrom('disk_readings')
    .where((where) => where.or([where('hour', '<', now - KEPT_MS), where('hour', '>', now)]))
    .execute();
}

/** Each process notes what it reads, whether or not it runs jobs. */
export function watchServer(deps: Deps): () => Promise<void> {
  const note = () =>
    noteServer(deps).catch((error: unknown) =>
      deps.log.warn({ err: error }, 'This server could not note its disk and its clock.'),
    );
  let last = note();
  const timer = setInterval(() => {
    last = note();
  }, EVERY_MS).unref();
  return async () => {
    clearInterval(timer);
    await last;
  };
}
