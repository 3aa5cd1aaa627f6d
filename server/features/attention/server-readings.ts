import { hostname } from 'node:os';
import { sql } from 'kysely';
import { DAY, HOUR, MINUTE } from '#contract/rules/time.ts';
import type { Database } from '../../db/connect.ts';
import type { Deps } from '../../deps.ts';
import { readDiskSpace, type ReadDiskSpace } from '../../ports/storage/disk-space.ts';

const EVERY_MS = 10 * MINUTE;
/** A server that has been silent for longer is gone, or can’t read its disk. */
export const FRESH_MS = 3 * EVERY_MS;
/** How long the readings of each hour are kept: enough to see a week ahead. */
const KEPT_MS = 8 * DAY;

/** How far this clock is ahead of the database’s. SQLite’s is the same. */
async function readClockOffset({ db, dialect }: Database, clock: Deps['clock']) {
  if (dialect === 'sqlite') return null;
  const before = clock.now();
  const { rows } = await sql<{
    now: number;
  }>`select (extract(epoch from clock_timestamp()) * 1000)::bigint as now`.execute(db);
  const after = clock.now();
  return Math.round((before + after) / 2 - Number(rows[0]?.now));
}

/** What only this server can read: its disk and its clock. */
export async function noteServer(
  { database, config, clock }: Pick<Deps, 'database' | 'config' | 'clock'>,
  readSpace: ReadDiskSpace = readDiskSpace,
): Promise<void> {
  const { db } = database;
  const now = clock.now();
  const server = hostname();
  const { free, size } = await readSpace(config.dataDir);
  const reading = {
    read_at: now,
    free_bytes: free,
    size_bytes: size,
    clock_offset: await readClockOffset(database, clock),
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
