import { z } from 'zod';
import type { Tx } from '../db/connect.ts';
import type { Lane } from './lanes.ts';

/** What a handler knows about its run. */
export type RunningJob = {
  id: string;
  /** 1 on the first run. */
  attempt: number;
  maxAttempts: number;
  /** Aborts when the lease is lost or the worker stops: the handler can't complete after that. */
  signal: AbortSignal;
  /**
   * Completes the job in one transaction with its effects. If the lease is lost, it rejects and rolls
   * the effects back, so that they happen once however often the job starts.
   */
  finish: (effects?: (tx: Tx) => Promise<void>) => Promise<void>;
};

/** What a worker needs of a job. `D` is the type of the handler's dependencies, usually the server's deps. */
export type JobHandler<D> = {
  name: string;
  lane: Lane;
  maxAttempts: number;
  /** An administrator may drop it while it waits. */
  canDiscard: boolean;
  /** Only for schedules: the time from one run to the next. */
  everyMs?: number;
  execute: (deps: D, payload: string, job: RunningJob) => Promise<void>;
  /**
   * Runs in the transaction that marks the job dead, also when its last worker disappeared, or that
   * deletes it because its address refuses mail or an administrator discards it while it waits.
   */
  onDead: (tx: Tx, payload: string, now: number) => Promise<void>;
  /** Runs in the transaction in which an administrator starts a dead job again. */
  onRetry: (tx: Tx, payload: string) => Promise<void>;
};

/** What `enqueue` needs of a job. */
export type JobRequest<P> = {
  name: string;
  lane?: Lane;
  maxAttempts: number;
  encode: (payload: P) => string;
};

export type Job<P, D> = JobHandler<D> & JobRequest<P>;

export type JobDefinition<S extends z.ZodType, D> = {
  name: string;
  payload: S;
  /** What it waits for: only other jobs of its lane. */
  lane?: Lane;
  maxAttempts?: number;
  /**
   * Nothing that was promised is lost if an administrator drops it while it waits: `onDead` says that it
   * failed, or somebody asks again. Nothing about money has this.
   */
  canDiscard?: boolean;
  run: (deps: D, payload: z.output<S>, job: RunningJob) => Promise<void>;
  /** Runs when the job will not be retried, in the transaction that marks it dead. */
  onDead?: (tx: Tx, payload: z.output<S>, now: number) => Promise<void>;
  /** Runs when an administrator starts it again. */
  onRetry?: (tx: Tx, payload: z.output<S>) => Promise<void>;
};

const DEFAULT_MAX_ATTEMPTS = 10;
export const DEFAULT_LANE: Lane = 'housekeeping';

/** Thrown by a handler when only an administrator can say what to do: the job isn't retried by itself. */
export class NeedsDecision extends Error {
  override name = 'NeedsDecision';
}

const defined: Pick<
  JobHandler<never>,
  'name' | 'lane' | 'everyMs' | 'canDiscard' | 'onDead' | 'onRetry'
>[] = [];

export const findDefinedJob = (name: string) => defined.find((job) => job.name === name);

/** Every job defined by a module this process imported; a worker must handle them all. */
export const listDefinedJobs = (): readonly { name: string }[] => defined;

/** The recurring ones. */
export const listDefinedSchedules = (): { name: string; everyMs: number }[] =>
  defined.flatMap(({ name, everyMs }) => (everyMs === undefined ? [] : [{ name, everyMs }]));

const buildJob = <S extends z.ZodType, D>(definition: JobDefinition<S, D>): Job<z.input<S>, D> => ({
  name: definition.name,
  lane: definition.lane ?? DEFAULT_LANE,
  maxAttempts: definition.maxAttempts ?? DEFAULT_MAX_ATTEMPTS,
  canDiscard: definition.canDiscard ?? false,
  encode: (payload) => {
    // Check what the handler will get: a Date, for example, is a string by then.
    const text = JSON.stringify(payload);
    definition.payload.parse(JSON.parse(text));
    return text;
  },
  execute: async (deps, payload, job) => {
    await definition.run(deps, definition.payload.parse(JSON.parse(payload)), job);
  },
  onDead: async (tx, text, now) => {
    const payload = definition.payload.safeParse(JSON.parse(text));
    if (payload.success) await definition.onDead?.(tx, payload.data, now);
  },
  onRetry: async (tx, text) => {
    const payload = definition.payload.safeParse(JSON.parse(text));
    if (payload.success) await definition.onRetry?.(tx, payload.data);
  },
});

/**
 * A job runs at least once and completes once: its handler must be idempotent up to `job.finish`, and
 * throw if it fails. Annotate the handler's first parameter with the deps it needs.
 */
export const defineJob = <S extends z.ZodType, D>(
  definition: JobDefinition<S, D>,
): Job<z.input<S>, D> => {
  const job = buildJob(definition);
  defined.push(job);
  return job;
};

export type ScheduleDefinition<D> = {
  name: string;
  everyMs: number;
  lane?: Lane;
  maxAttempts?: number;
  run: (deps: D, job: RunningJob) => Promise<void>;
};

/** A recurring job: it runs once per period, however many processes there are, and once after a downtime. */
export const defineSchedule = <D>(definition: ScheduleDefinition<D>): JobHandler<D> => {
  const job = buildJob({
    name: definition.name,
    payload: z.object({}),
    lane: definition.lane ?? DEFAULT_LANE,
    maxAttempts: definition.maxAttempts ?? DEFAULT_MAX_ATTEMPTS,
    run: (deps: D, _payload, running) => definition.run(deps, running),
  });
  const schedule = { ...job, everyMs: definition.everyMs };
  defined.push(schedule);
  return schedule;
};
