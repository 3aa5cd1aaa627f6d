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
};

/** How long a line stays frozen, a lock held, a disk full. */
const HOLD_MS = 1500;

export const isPossible = (fault: Fault, tools: FaultTools): boolean => {
  if (fault === 'kill database') return tools.crashPostgres !== null;
  if (fault === 'cut lines' || fault === 'freeze lines') return tools.proxy !== null;
  if (fault === 'lock database') return tools.sqliteFile !== null;
  return fault !== 'fill disk' || tools.disk !== null;
};

async function restart({ processes }: FaultTools, names: readonly ('server' | 'worker')[]) {
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
      return restart(tools, ['server']);
    case 'kill worker':
      return restart(tools, ['worker']);
    case 'kill both':
      return restart(tools, ['server', 'worker']);
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
  }
}
