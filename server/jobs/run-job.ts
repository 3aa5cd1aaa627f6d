import type { FastifyBaseLogger } from 'fastify';
import type { Database } from '../db/connect.ts';
import type { JobHandler, RunningJob } from './define-job.ts';
import { releaseLease, renewLease, type Claim } from './leases.ts';
import { completeJob, failJob, LeaseLostError } from './outcome.ts';
import { toSchedule } from './schedules.ts';

export type WorkerDeps = {
  database: Pick<Database, 'db' | 'dialect'>;
  clock: { now: () => number };
  log: Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>;
};

export type RunSettings = { leaseMs: number; every: Every; random: () => number };

export type Run = {
  /** Never rejects: errors are in the job's row and in the log. */
  done: Promise<void>;
  /** Releases the job for another worker and aborts the handler. */
  release: () => Promise<void>;
};

/** Renews the lease at a third of its length, so that two renewals may fail before it is lost. */
const renewRegularly = (
  { database, clock, log }: WorkerDeps,
  claim: Claim,
  { leaseMs, every }: RunSettings,
  lose: () => void,
): (() => void) => {
  let leaseUntil = clock.now() + leaseMs;
  return every(Math.ceil(leaseMs / 3), async () => {
    const now = clock.now();
    try {
      if (await renewLease(database.db, claim, { now, leaseMs })) leaseUntil = now + leaseMs;
      else lose();
    } catch (error) {
      log.warn({ err: error, jobId: claim.id }, 'Could not renew the lease of a job.');
      if (now >= leaseUntil) lose();
    }
  });
};

/** `finish` is for the handler; `ensureFinished` finishes the job if the handler didn't. */
const createFinish = <D extends WorkerDeps>(
  deps: D,
  handler: JobHandler<D>,
  claim: Claim,
): { finish: RunningJob['finish']; ensureFinished: () => Promise<void> } => {
  let finished: Promise<void> | null = null;
  const finish: RunningJob['finish'] = async (effects) => {
    if (finished) throw new Error(`The job "${claim.name}" called finish more than once.`);
    finished = completeJob(deps.database, claim, {
      now: deps.clock.now(),
      schedule: toSchedule(handler),
      ...(effects && { effects }),
    });
    await finished;
  };
  // Awaiting the promise again throws an error that the handler swallowed.
  return { finish, ensureFinished: () => finished ?? finish() };
};

const reportFailure = async <D extends WorkerDeps>(
  deps: D,
  handler: JobHandler<D>,
  claim: Claim,
  { error, random }: { error: unknown; random: number },
): Promise<void> => {
  const { database, clock, log } = deps;
  const details = { err: error, job: claim.name, jobId: claim.id, attempt: claim.attempt };
  if (error instanceof LeaseLostError) {
    log.warn(details, 'A job lost its lease; another worker runs it now.');
    return;
  }
  try {
    const schedule = toSchedule(handler);
    const { onDead } = handler;
    const failure = { now: clock.now(), schedule, error, random, onDead };
    const outcome = await failJob(database, claim, failure);
    if (outcome === 'retry') log.warn(details, 'A job failed and will be retried.');
    else if (outcome === 'dead') log.error(details, 'A job failed permanently.');
    else if (outcome === 'postponed') log.info(details, 'A job waits.');
    else if (outcome === 'dropped') log.info(details, 'A job ended: its address refuses mail.');
    else log.warn(details, 'A job failed after it ended or lost its lease.');
  } catch (problem) {
    log.error({ ...details, problem }, 'Could not record a job’s failure; its lease will expire.');
  }
};

export const runJob = <D extends WorkerDeps>(
  deps: D,
  handler: JobHandler<D>,
  claim: Claim,
  settings: RunSettings,
): Run => {
  const controller = new AbortController();
  let isReleased = false;
  const lose = (): void => controller.abort(new LeaseLostError());
  const { finish, ensureFinished } = createFinish(deps, handler, claim);
  const { id, attempt, maxAttempts } = claim;
  const work = async (): Promise<void> => {
    const stopRenewing = renewRegularly(deps, claim, settings, lose);
    try {
      const job = { id, attempt, maxAttempts, signal: controller.signal, finish };
      await handler.execute(deps, claim.payload, job);
      await ensureFinished();
    } catch (error) {
      // After a release the row belongs to the next worker, and the database may be closed.
      if (isReleased) return;
      await reportFailure(deps, handler, claim, { error, random: settings.random() });
    } finally {
      stopRenewing();
    }
  };
  const release = async (): Promise<void> => {
    isReleased = true;
    try {
      await releaseLease(deps.database.db, claim, { now: deps.clock.now() });
    } finally {
      lose();
    }
  };
  return { done: work(), release };
};

/** Calls the task regularly until the returned function is called. Tests provide their own. */
export type Every = (ms: number, task: () => Promise<void>) => () => void;

/** Skips a call while the previous one is still running. The task must not throw. */
export const everyInterval: Every = (ms, task) => {
  let isBusy = false;
  const runOnce = async (): Promise<void> => {
    if (isBusy) return;
    isBusy = true;
    try {
      await task();
    } finally {
      isBusy = false;
    }
  };
  const timer = setInterval(() => void runOnce(), ms);
  return () => clearInterval(timer);
};
