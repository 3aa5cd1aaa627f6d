import type { FastifyBaseLogger } from 'fastify';
import type { Database } from '../db/connect.ts';
import type { JobHandler } from './define-job.ts';
import type { Jobs } from './jobs-handle.ts';

export type WorkerDeps = {
  database: Pick<Database, 'db' | 'dialect'>;
  clock: { now: () => number };
  log: Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>;
};

export type WorkerOptions<D> = {
  deps: D;
  jobs: readonly JobHandler<D>[];
  /** How many jobs run at the same time in this process. */
  concurrency?: number;
};

export type Worker = Jobs & {
  start: () => Promise<void>;
  /** Lets running jobs end up to the limit, then gives them back for another worker. */
  stop: (options?: { limitMs?: number }) => Promise<void>;
  /** Runs what is due now, and what that makes due, to the end. Returns how many runs it took. */
  runDue: () => Promise<number>;
};
