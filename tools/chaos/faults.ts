import { setTimeout } from 'node:timers/promises';
import { DatabaseSync } from 'node:sqlite';
import type { LineProxy } from './line-proxy.ts';
import type { SiteProcesses } from './site-processes.ts';
import type { SmallDisk } from './small-disk.ts';

export const FAULTS = [
  'kill server',
  'kill worker',
  'kill both',
  'kill database',
  'cut lines',
  'freeze lines',
  'lock database',
  'fill disk',
  'fill database disk',
  'fill database log',
] as const;
export type Fault = (typeof FAULTS)[number];

export type FaultTools = {
  processes: SiteProcesses<'server' | 'worker'>;
  /** Only with PostgreSQL. */
  proxy: LineProxy | null;
  /** Kills a process of PostgreSQL, which then restarts all of them and recovers. */
  crashPostgres: (() => Promise<void>) | null;
  /** Only with SQLite. */
  sqliteFile: string | null;
  disk: SmallDisk | null;
  /** Only with a PostgreSQL that has a small disk to itself. */
  databaseDisk: DatabaseDisk | null;
  seen: {
    /** How many writes were refused because a disk is full. */
    countFull: () => number;
    /** What the site says of its database. */
    readHealth: () => Promise<string | undefined>;
  };
};

export type DatabaseDisk = {
  disk: SmallDisk;
  /** Makes PostgreSQL begin new files of its log, for which there is no room. */
  endLog: () => Promise<void>;
  /** As whoever runs it does, if it ended because there was no room for its log. */
  startAgain: () => Promise<void>;
};

/** How long a line stays frozen, a lock held, a disk full. */
const HOLD_MS = 1500;

export const isPossible = (fault: Fault, tools: FaultTools): boolean => {
  if (fault === 'kill database') return tools.crashPostgres !== null;
  if (fault === 'cut lines' || fault === 'freeze lines') return tools.proxy !== null;
  if (fault === 'lock database') return tools.sqliteFile !== null;
  if (fault === 'fill database disk' || fault === 'fill database log')
    return tools.databaseDisk !== null;
  return fault !== 'fill disk' || tools.disk !== null;
};

/** How long a full disk may take to be noticed: there is room left in the files that exist. */
const NOTICED_MS = 60_000;

async function waitUntil(what: string, isTrue: () => Promise<boolean>) {
  const start = performance.now();
  while (!(await isTrue())) {
    if (performance.now() - start > NOTICED_MS) throw new Error(`${what} was not seen.`);
    await setTimeout(100);
  }
}

/** Goes on once the site was refused room, and health says so. */
async function fillDatabaseDisk({ databaseDisk, seen }: FaultTools, isLog: boolean) {
  if (!databaseDisk) return;
  const { disk, endLog, startAgain } = databaseDisk;
  const before = seen.countFull();
  disk.fill();
  try {
    if (isLog) await endLog();
    await waitUntil('A full disk in health', async () => {
      const health = await seen.readHealth();
      return health === 'error' || (!isLog && health === 'degraded' && seen.countFull() > before);
    });
    await setTimeout(HOLD_MS);
  } finally {
    disk.free();
    await startAgain();
  }
}

async function restartSite({ processes }: FaultTools, names: readonly ('server' | 'worker')[]) {
  await Promise.all(names.map((name) => processes.kill(name)));
  for (const name of names) processes.start(name);
}

async function holdLock(file: string) {
  const database = new DatabaseSync(file, { timeout: 10_000 });
  try {
    database.exec('begin immediate');
    await setTimeout(HOLD_MS);
    database.exec('rollback');
  } finally {
    database.close();
  }
}

/** Does it, and puts right what doesn't put itself right. */
export async function provoke(fault: Fault, tools: FaultTools): Promise<void> {
  switch (fault) {
    case 'kill server':
      return restartSite(tools, ['server']);
    case 'kill worker':
      return restartSite(tools, ['worker']);
    case 'kill both':
      return restartSite(tools, ['server', 'worker']);
    case 'kill database':
      return tools.crashPostgres?.();
    case 'cut lines':
      return tools.proxy?.cut();
    case 'freeze lines':
      tools.proxy?.freeze();
      await setTimeout(HOLD_MS);
      return tools.proxy?.thaw();
    case 'lock database':
      return tools.sqliteFile ? holdLock(tools.sqliteFile) : undefined;
    case 'fill disk':
      tools.disk?.fill();
      await setTimeout(HOLD_MS);
      return tools.disk?.free();
    case 'fill database disk':
      return fillDatabaseDisk(tools, false);
    case 'fill database log':
      return fillDatabaseDisk(tools, true);
  }
}
