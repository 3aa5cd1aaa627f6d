import type { JobHandler } from '../jobs/define-job.ts';
import { LANE_NAMES, type Lane } from '../jobs/lanes.ts';
import type { Every, WorkerDeps } from '../jobs/run-job.ts';
import { createWorker, type Worker, type WorkerOptions } from '../jobs/worker.ts';
import type { TestDatabase } from './test-database.ts';

export type TestClock = { time: number; now: () => number };

export const createTestClock = (time = 1_800_000_000_000): TestClock => ({
  time,
  now() {
    return this.time;
  },
});

/** Intervals that only the test triggers. */
const createManualEvery = (): { every: Every; pass: (ms: number) => Promise<void> } => {
  const tasks = new Set<{ ms: number; task: () => Promise<void> }>();
  return {
    every: (ms, task) => {
      const entry = { ms, task };
      tasks.add(entry);
      return () => tasks.delete(entry);
    },
    pass: async (ms) => {
      for (const entry of tasks) if (entry.ms === ms) await entry.task();
    },
  };
};

type LogLine = { level: 'info' | 'warn' | 'error'; message: string; details: unknown };

const createTestLog = (): { log: WorkerDeps['log']; lines: LogLine[] } => {
  const lines: LogLine[] = [];
  const write =
    (level: LogLine['level']) =>
    (details: unknown, message = ''): void => {
      lines.push({ level, message, details });
    };
  return { log: { info: write('info'), warn: write('warn'), error: write('error') }, lines };
};

/** The loop starts nothing by itself. */
export const NO_SLOTS = Object.fromEntries(LANE_NAMES.map((lane) => [lane, 0])) as Record<
  Lane,
  number
>;

export const LEASE_MS = 60_000;
export const RENEWAL_MS = 20_000;
export const POLL_MS = 1000;

export type TestWorker = {
  worker: Worker;
  deps: WorkerDeps;
  lines: LogLine[];
  pass: (ms: number) => Promise<void>;
};

/** A worker that runs only the given jobs, on the test's clock. */
export const createTestWorker = (
  database: TestDatabase,
  clock: TestClock,
  jobs: readonly JobHandler<WorkerDeps>[],
  options: Partial<WorkerOptions<WorkerDeps>> = {},
): TestWorker => {
  const { log, lines } = createTestLog();
  const { every, pass } = createManualEvery();
  const deps = { database, clock, log };
  const settings = { leaseMs: LEASE_MS, pollMs: POLL_MS, random: () => 0, every, defined: [] };
  return { worker: createWorker({ deps, jobs, ...settings, ...options }), deps, lines, pass };
};
