import type { Health, HealthStatus } from '#contract/system.ts';
import { compareMigrations } from '../../db/schema/migrate.ts';
import type { Deps } from '../../deps.ts';
import { logOutage } from '../../log/log-outage.ts';
import { isDiskFull } from '../../http/route/app-error.ts';

const LIMIT_MS = 3000;
/** Anyone may ask, and a probe writes to the disk, so results are reused. */
const REUSE_MS = 2000;

/** A check that hangs counts as failed. */
async function withinLimit<T>(work: Promise<T>, limitMs: number): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`No response within ${limitMs} ms.`)), limitMs);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** The overall status is that of the worst component. */
function worstOf(statuses: readonly HealthStatus[]): HealthStatus {
  if (statuses.includes('error')) return 'error';
  return statuses.includes('degraded') ? 'degraded' : 'ok';
}

type ComponentName = Health['components'][number]['name'];

type Probes = Record<ComponentName, () => Promise<HealthStatus>>;

/** Runs one probe at a time: one that hangs isn't started again. */
function shareProbe<T>(probe: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | null = null;
  return () => {
    running ??= probe().finally(() => {
      running = null;
    });
    return running;
  };
}

/** While servers are updated one by one, those of the old version keep working on the new database. */
async function checkMigrations({ database }: Deps): Promise<HealthStatus> {
  const { missing, unknown } = await compareMigrations(database.db);
  if (missing > 0) return 'error';
  return unknown > 0 ? 'degraded' : 'ok';
}

/** With a full disk everything but saving works, so visitors are still sent here. */
async function checkStorage({ storage, log }: Deps): Promise<HealthStatus> {
  try {
    await storage.probe();
    return 'ok';
  } catch (error) {
    if (!isDiskFull(error)) throw error;
    log.error({ err: error, component: 'storage' }, 'The disk is full.');
    return 'degraded';
  }
}

/** As with the files, everything but saving works while its disk is full. */
async function checkDatabase({ database }: Deps): Promise<HealthStatus> {
  await database.ping();
  return database.isFull() ? 'degraded' : 'ok';
}

const createProbes = (deps: Deps): Probes => ({
  database: shareProbe(() => checkDatabase(deps)),
  migrations: shareProbe(() => checkMigrations(deps)),
  storage: shareProbe(() => checkStorage(deps)),
  jobs: shareProbe(async () => (await deps.jobs.probe()).status),
});

async function probeAll(deps: Deps, probes: Probes, limitMs: number): Promise<Health> {
  const names = Object.keys(probes) as ComponentName[];
  const components = await Promise.all(
    names.map(async (name) => {
      try {
        return { name, status: await withinLimit(probes[name](), limitMs) };
      } catch (error) {
        logOutage(deps.log, (details, message) => deps.log.error(details, message), {
          details: { err: error, component: name },
          message: 'Health probe failed.',
        });
        return { name, status: 'error' as const };
      }
    }),
  );
  return { status: worstOf(components.map(({ status }) => status)), components };
}

/** Simultaneous callers share one check, and its result is reused for a short time. */
export function createHealthCheck(deps: Deps, limitMs = LIMIT_MS): () => Promise<Health> {
  const probes = createProbes(deps);
  let last: { at: number; health: Health } | null = null;
  const check = shareProbe(async () => {
    const health = await probeAll(deps, probes, limitMs);
    last = { at: deps.clock.now(), health };
    return health;
  });
  return async () => {
    const age = last ? deps.clock.now() - last.at : -1;
    return last && age >= 0 && age < REUSE_MS ? last.health : check();
  };
}
