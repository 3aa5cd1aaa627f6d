import type { Database, Tx } from '../db/connect.ts';
import type { JobHandler } from './define-job.ts';
import { backoffDelay } from './backoff.ts';
import { describeError } from './describe-error.ts';
import { deleteClaimed, hasExpired, recordFailure, recoverExpired, type Claim } from './leases.ts';
import { clearDeadLetters, nextRun, noteRun, plan, type Schedule } from './schedules.ts';

export class LeaseLostError extends Error {
  override name = 'LeaseLostError';

  constructor() {
    super('The lease of this job ran out and another worker may have taken it.');
  }
}

type Place = Pick<Database, 'db' | 'dialect'>;

/** Removes the job together with its effects, or rejects and does neither. */
export const completeJob = async (
  { db }: Place,
  claim: Claim,
  options: { now: number; schedule: Schedule | null; effects?: (tx: Tx) => Promise<void> },
): Promise<void> => {
  const { now, schedule, effects } = options;
  await db.transaction().execute(async (tx) => {
    if (!(await deleteClaimed(tx, claim))) throw new LeaseLostError();
    if (schedule) {
      await clearDeadLetters(tx, schedule, { except: claim.id });
      await plan(tx, schedule, { now, runAt: nextRun(claim.runAt, schedule.everyMs, now) });
      await noteRun(tx, schedule, { now, error: null });
    }
    await effects?.(tx);
  });
};

/** Burying recurring work plans its next run: a week of failures must not end it for good. */
const planAfterDeath = async (
  tx: Tx,
  schedule: Schedule,
  { id, now }: { id: string; now: number },
): Promise<void> => {
  await clearDeadLetters(tx, schedule, { except: id });
  await plan(tx, schedule, { now, runAt: now + schedule.everyMs });
};

export type FailureOutcome = 'retry' | 'dead' | 'lost';

export const failJob = async (
  { db }: Place,
  claim: Claim,
  options: {
    now: number;
    schedule: Schedule | null;
    error: unknown;
    random: number;
    bury?: JobHandler<never>['bury'];
  },
): Promise<FailureOutcome> => {
  const { now, schedule, error, random, bury } = options;
  const isLast = claim.attempt >= claim.maxAttempts;
  const retryAt = isLast ? null : now + backoffDelay(claim.attempt, random);
  return db.transaction().execute(async (tx) => {
    const failure = { now, retryAt, error: describeError(error) };
    if (!(await recordFailure(tx, claim, failure))) return 'lost';
    if (schedule) await noteRun(tx, schedule, { now, error: failure.error });
    if (isLast && schedule) await planAfterDeath(tx, schedule, { id: claim.id, now });
    if (isLast) await bury?.(tx, claim.payload, now);
    return isLast ? 'dead' : 'retry';
  });
};

export const recoverJobs = async (
  { db, dialect }: Place,
  schedules: ReadonlyMap<string, Schedule>,
  now: number,
  handlers: ReadonlyMap<string, Pick<JobHandler<never>, 'bury'>> = new Map(),
): Promise<{ id: string; name: string; isDead: boolean }[]> => {
  // Asked at every poll and nearly always no: a transaction would take SQLite's write lock for it.
  if (!(await hasExpired(db, now))) return [];
  return db.transaction().execute(async (tx) => {
    const recovered = await recoverExpired({ db: tx, dialect }, now);
    for (const { id, name, payload, isDead } of recovered) {
      if (!isDead) continue;
      const schedule = schedules.get(name);
      if (schedule) await planAfterDeath(tx, schedule, { id, now });
      await handlers.get(name)?.bury(tx, payload, now);
    }
    return recovered.map(({ id, name, isDead }) => ({ id, name, isDead }));
  });
};
