import type { Health, HealthStatus } from '#contract/system.ts';
import type { Deps } from '../../deps.ts';

const LIMIT_MS = 3000;

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

async function probeAll(deps: Deps, limitMs: number): Promise<Health> {
  const probes: Record<ComponentName, () => Promise<HealthStatus>> = {
    database: async () => (await deps.database.ping(), 'ok'),
    storage: async () => (await deps.storage.probe(), 'ok'),
    jobs: async () => (await deps.jobs.probe()).status,
  };
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

/** Callers that ask at the same time share one probe, so that asking often costs little. */
export function createHealthCheck(deps: Deps, limitMs = LIMIT_MS): () => Promise<Health> {
  let running: Promise<Health> | null = null;
  return () => {
    running ??= probeAll(deps, limitMs).finally(() => {
      running = null;
    });
    return running;
  };
}
