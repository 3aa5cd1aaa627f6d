import type { HealthStatus } from '#contract/system.ts';

/** What the rest of the server sees of the worker. */
export type Jobs = {
  /** Call after the transaction that enqueued: the job then starts without waiting for a poll. */
  wake: () => void;
  probe: () => Promise<JobsProbe>;
};

export type JobsProbe = {
  status: HealthStatus;
  /** A sentence for the operator. */
  detail: string;
};

export type JobsHandle = Jobs & { attach: (worker: Jobs) => void };

/**
 * Deps hold the worker and the worker's handlers take the deps. The handle exists first, goes into
 * the deps, and is attached to the worker once that is made.
 */
export const createJobsHandle = (): JobsHandle => {
  let worker: Jobs | null = null;
  return {
    attach: (attached) => {
      worker = attached;
    },
    wake: () => worker?.wake(),
    probe: async () =>
      worker ? worker.probe() : { status: 'error', detail: 'No job worker was started.' },
  };
};
