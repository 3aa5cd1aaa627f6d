import type { Health, HealthStatus } from '#contract/system.ts';
import type { Deps } from '../../deps.ts';

const LIMIT_MS = 3000;
/** Anybody may ask, and a probe writes to the disk: asking often must cost little. */
const FRESH_MS = 2000;

/** What hangs is as bad as what fails. */
async function withinLimit<T>(work: Promise<T>, limitMs: number): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`No answer within ${limitMs} ms.`)), limitMs);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** The whole is as well as its worst part. */
export function worstOf(statuses: readonly HealthStatus[]): HealthStatus {
  if (statuses.includes('error')) return 'error';
  return statuses.includes('degraded') ? 'degraded' : 'ok';
}

type ComponentName = Health['components'][number]['name'];

type Probes = Record<ComponentName, () => Promise<HealthStatus>>;

/** One at a time: what hangs is not asked again until it has answered. */
function shareProbe<T>(probe: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | null = null;
  return () => {
    running ??= probe().finally(() => {
      running = null;
    });
    return running;
  };
}

const createProbes = (deps: Deps): Probes => ({
  database: shareProbe<HealthStatus>(async () => (await deps.database.ping(), 'ok')),
  storage: shareProbe<HealthStatus>(async () => (await deps.storage.probe(), 'ok')),
  jobs: shareProbe(async () => (await deps.jobs.probe()).status),
});

async function probeAll(deps: Deps, probes: Probes, limitMs: number): Promise<Health> {
  const names = Object.keys(probes) as ComponentName[];
  const components = await Promise.all(
    names.map(async (name) => {
      try {
        return { name, status: await withinLimit(probes[name](), limitMs) };
      } catch (error) {
        deps.log.error({ err: error, component: name }, 'health probe failed');
        return { name, status: 'error' as const };
      }
    }),
  );
  return { status: worstOf(components.map(({ status }) => status)), components };
}

/** Callers that ask at the same time, or shortly after another, share one answer. */
export function createHealthCheck(deps: Deps, limitMs = LIMIT_MS): () => Promise<Health> {
  const probes = createProbes(deps);
  let known: { at: number; health: Health } | null = null;
  const ask = shareProbe(async () => {
    const health = await probeAll(deps, probes, limitMs);
    known = { at: deps.clock.now(), health };
    return health;
  });
  return async () => {
    const age = known ? deps.clock.now() - known.at : -1;
    return known && age >= 0 && age < FRESH_MS ? known.health : ask();
  };
}
