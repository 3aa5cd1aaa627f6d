import type { FastifyBaseLogger } from 'fastify';
import type { Database } from '../db/connect.ts';
import type { JobHandler, RunningJob } from './define-job.ts';
import type { Every } from './every.ts';
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
  /** Never rejects: what went wrong is in the job's row and in the log. */
  done: Promise<void>;
  /** Gives the job back for another worker and tells the handler to stop. */
  release: () => Promise<void>;
};

/** Renews the lease at a third of its length, so that two renewals may fail before it is lost. */
const keepLease = (
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
      log.warn({ err: error, jobId: claim.id }, 'The lease of a job could not be renewed.');
      if (now >= leaseUntil) lose();
    }
  });
};

/** `finish` for the handler, and `settle` for what is left to do after the handler returned. */
const createFinish = <D extends WorkerDeps>(
  deps: D,
  handler: JobHandler<D>,
  claim: Claim,
): { finish: RunningJob['finish']; settle: () => Promise<void> } => {
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
  // Awaiting the same promise again makes a failure count that the handler swallowed.
  return { finish, settle: () => finished ?? finish() };
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
    log.warn(details, 'A job lost its lease; another worker runs it.');
    return;
  }
  try {
    const schedule = toSchedule(handler);
    const { bury } = handler;
    const failure = { now: clock.now(), schedule, error, random, bury };
    const outcome = await failJob(database, claim, failure);
    if (outcome === 'retry') log.warn(details, 'A job failed and will be tried again.');
    else if (outcome === 'dead') log.error(details, 'A job failed for the last time.');
    else log.warn(details, 'A job failed after it had ended or lost its lease.');
  } catch (problem) {
    log.error(
      { ...details, problem },
      'The failure of a job was not recorded; its lease runs out.',
    );
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
  const { finish, settle } = createFinish(deps, handler, claim);
  const { id, attempt, maxAttempts } = claim;
  const work = async (): Promise<void> => {
    const stopKeeping = keepLease(deps, claim, settings, lose);
    try {
      const job = { id, attempt, maxAttempts, signal: controller.signal, finish };
      await handler.execute(deps, claim.payload, job);
      await settle();
    } catch (error) {
      // After a release the row belongs to the next worker, and the database may be closed.
      if (isReleased) return;
      await reportFailure(deps, handler, claim, { error, random: settings.random() });
    } finally {
      stopKeeping();
    }
  };
  const release = async (): Promise<void> => {
    isReleased = true;
    try {
      await releaseLease(deps.database.db, claim, deps.clock.now());
    } finally {
      lose();
    }
  };
  return { done: work(), release };
};
