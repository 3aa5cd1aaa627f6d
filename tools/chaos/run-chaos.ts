import { mkdtemp, mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { z } from 'zod';
import { MINUTE } from '#contract/rules/time.ts';
import { parseConfig } from '#server/config.ts';
import { migrate } from '#server/db/schema/migrate.ts';
import { closeDeps, createDeps, type Deps } from '#server/deps.ts';
import { createLog } from '#server/log/log.ts';
import { createPerson } from '#server/testing/access/people.ts';
import { createRandom } from '#server/testing/random.ts';
import { seedTrack } from '#server/testing/seed-track.ts';
import { findFreePort } from '../testing/free-port.ts';
import {
  FAULTS,
  isPossible,
  provoke,
  type DatabaseDisk,
  type Fault,
  type FaultTools,
} from './faults.ts';
import { startLineProxy } from './line-proxy.ts';
import { countUnbooked, recount } from './recount.ts';
import { createSiteProcesses } from './site-processes.ts';
import { mountSmallDisk } from './small-disk.ts';
import { createJournal, createWriter, type Journal } from './writers.ts';

export type ChaosOptions = {
  /** An empty PostgreSQL database, reached through a socket or a port; SQLite without one. */
  databaseUrl?: string;
  crashPostgres?: () => Promise<void>;
  databaseDisk?: DatabaseDisk | null;
  rounds: number;
  /** How many people write at the same time. */
  writers?: number;
  seed: number;
  faults?: readonly Fault[];
  onRound?: (line: string) => void;
};

export type ChaosResult = {
  rounds: Map<Fault, number>;
  journal: Journal;
  /** Acknowledged writes that are gone, or that happened twice. */
  losses: string[];
  /** Processes that ended by themselves, and faults that the site didn't get over. */
  failures: string[];
  /** The longest time from the end of a fault to the next answer. */
  slowestRecoveryMs: number;
};

const WRITERS = 4;
const TRACKS = 8;
const PAUSE_MS = 300;
const RECOVERY_MS = 60_000;
/** A webhook that failed six times, because the server was away, is sent again minutes later. */
const BOOKING_MS = 15 * MINUTE;

/** The same database for this process, without the proxy. */
export const openSite = (env: Record<string, string>): Promise<Deps> =>
  createDeps(parseConfig(env), { log: createLog('silent') });

export function toProxyTarget(databaseUrl: string) {
  const url = new URL(databaseUrl);
  const folder = url.searchParams.get('host');
  const port = Number(url.port || 5432);
  return folder ? { path: join(folder, `.s.PGSQL.${port}`) } : { host: url.hostname, port };
}

export function throughProxy(databaseUrl: string, port: number): string {
  const url = new URL(databaseUrl);
  url.searchParams.delete('host');
  url.hostname = '127.0.0.1';
  url.port = String(port);
  return url.href;
}

/** Migrates the database and fills it with mixes and an administrator. */
export async function prepare(env: Record<string, string>) {
  const deps = await openSite(env);
  const { database, storage, clock } = deps;
  try {
    await migrate(database, clock.now());
    const place = { db: database.db, storage, now: clock.now() };
    const trackIds: string[] = [];
    for (let n = 0; n < TRACKS; n += 1)
      trackIds.push((await seedTrack(place, { title: `Mix ${n}` })).id);
    const admin = await createPerson(deps, 'admin');
    return { trackIds, admin: admin.cookie };
  } finally {
    await closeDeps(deps);
  }
}

/** Waits until the site reads and writes its database again. Returns how long that took, or null. */
async function waitForSite(origin: string): Promise<number | null> {
  const start = performance.now();
  while (performance.now() - start < RECOVERY_MS) {
    const response = await fetch(`${origin}/api/tracks`, {
      signal: AbortSignal.timeout(10_000),
    }).catch(() => null);
    if (response?.status === 200) return performance.now() - start;
    await setTimeout(50);
  }
  return null;
}

const Health = z.object({
  components: z.array(z.object({ name: z.string(), status: z.string() })),
});

async function readDatabaseHealth(origin: string): Promise<string | undefined> {
  const response = await fetch(`${origin}/api/health`).catch(() => null);
  if (!response) return undefined;
  const { components } = Health.parse(await response.json());
  return components.find(({ name }) => name === 'database')?.status;
}

export async function waitForBookings(env: Record<string, string>, journal: Journal) {
  const deps = await openSite(env);
  const start = performance.now();
  try {
    while ((await countUnbooked(deps, journal)) > 0 && performance.now() - start < BOOKING_MS)
      await setTimeout(200);
  } finally {
    await closeDeps(deps);
  }
}

/** Faults, one after the other, under people who write all the time; then counts what is left. */
export async function runChaos(options: ChaosOptions): Promise<ChaosResult> {
  const { databaseUrl, rounds, seed, onRound = () => undefined } = options;
  const random = createRandom(seed);
  const folder = await mkdtemp(join(tmpdir(), 'chaos-'));
  const dataDir = join(folder, 'data');
  const faults = options.faults ?? FAULTS;
  const disk = faults.includes('fill disk') ? mountSmallDisk(dataDir) : null;
  await mkdir(dataDir, { recursive: true });
  const proxy = databaseUrl ? await startLineProxy(toProxyTarget(databaseUrl)) : null;
  const port = await findFreePort();
  const origin = `http://127.0.0.1:${port}`;
  const direct: Record<string, string> = {
    PORT: String(port),
    APP_ORIGIN: origin,
    DATA_DIR: dataDir,
    TRUST_PROXY: '1',
    LOG_LEVEL: 'error',
    ...(databaseUrl && { DATABASE_URL: databaseUrl }),
  };
  const env = {
    ...direct,
    WORKER: 'off',
    ...(databaseUrl && proxy && { DATABASE_URL: throughProxy(databaseUrl, proxy.port) }),
  };
  const result: ChaosResult = {
    rounds: new Map(),
    journal: createJournal(),
    losses: [],
    failures: [],
    slowestRecoveryMs: 0,
  };
  const programs = {
    server: { file: 'server/main.ts', env },
    worker: { file: 'server/worker.ts', env },
  };
  const processes = createSiteProcesses(
    programs,
    (name, how, output) => {
      result.failures.push(`The ${name} ended by itself (${how}): ${output}`);
      processes.start(name);
    },
    (line) => result.journal.bad.push(line.slice(0, 600)),
  );
  const tools: FaultTools = {
    processes,
    proxy,
    crashPostgres: options.crashPostgres ?? null,
    sqliteFile: databaseUrl ? null : join(dataDir, 'database.sqlite'),
    disk,
    databaseDisk: options.databaseDisk ?? null,
    seen: {
      countFull: () => result.journal.refused.get(507) ?? 0,
      readHealth: () => readDatabaseHealth(origin),
    },
  };
  const possible = faults.filter((fault) => isPossible(fault, tools));

  try {
    const { trackIds, admin } = await prepare(direct);
    processes.start('server');
    processes.start('worker');
    if ((await waitForSite(origin)) === null) throw new Error('The site did not start.');
    let isOver = false;
    const shared = { origin, journal: result.journal, random, trackIds };
    const writers = Array.from({ length: options.writers ?? WRITERS }, () =>
      createWriter(shared, admin).run(() => isOver),
    );
    for (let round = 1; round <= rounds; round += 1) {
      await setTimeout(PAUSE_MS + random.below(PAUSE_MS));
      const fault = possible[round % possible.length] ?? 'kill server';
      await provoke(fault, tools);
      const recovery = await waitForSite(origin);
      if (recovery === null) {
        result.failures.push(`After "${fault}" (round ${round}) the site did not come back.`);
        await processes.kill('server');
        processes.start('server');
        await waitForSite(origin);
      }
      result.slowestRecoveryMs = Math.max(result.slowestRecoveryMs, recovery ?? RECOVERY_MS);
      result.rounds.set(fault, (result.rounds.get(fault) ?? 0) + 1);
      const acknowledged = result.journal.entries.length;
      onRound(
        `${round} ${fault}: back in ${Math.round(recovery ?? RECOVERY_MS)} ms; ${acknowledged} writes`,
      );
    }
    isOver = true;
    await Promise.all(writers);
    await waitForBookings(direct, result.journal);
    for (const name of ['server', 'worker'] as const) {
      const problem = await processes.stop(name);
      if (problem) result.failures.push(problem);
    }
    const deps = await openSite(direct);
    result.losses = await recount(deps, result.journal);
    await closeDeps(deps);
  } finally {
    processes.killAll();
    proxy?.close();
    disk?.unmount();
    await rm(folder, { recursive: true, force: true });
  }
  return result;
}
