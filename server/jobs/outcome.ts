import type { Database, Tx } from '../db/connect.ts';
import { AddressRefused } from '../ports/mail/refused-addresses.ts';
import { MailOverLimit } from '../ports/mail/site-mail.ts';
import { NeedsDecision, type JobHandler } from './define-job.ts';
import { backoffDelay } from './backoff.ts';
import { BULK_LANE } from './bulk-mail.ts';
import type { Lane } from './lanes.ts';
import { describeError } from './describe-error.ts';
import {
  deleteClaimed,
  hasExpired,
  recordFailure,
  recoverExpired,
  releaseLease,
  type Claim,
  type RecoveredJob,
} from './leases.ts';
import { ClockDoubted } from './wrong-clock.ts';
import { deleteDeadRuns, nextRun, recordRun, enqueueRun, type Schedule } from './schedules.ts';

export class LeaseLostError extends Error {
  override name = 'LeaseLostError';

  constructor() {
    super('The lease of this job expired, so another worker may be running it.');
  }
}

type Connection = Pick<Database, 'db' | 'dialect'>;

/** Deletes the job in one transaction with its effects. */
export const completeJob = async (
  { db }: Connection,
  claim: Claim,
  options: { now: number; schedule: Schedule | null; effects?: (tx: Tx) => Promise<void> },
): Promise<void> => {
  const { now, schedule, effects } = options;
  await db.transaction().execute(async (tx) => {
    if (!(await deleteClaimed(tx, claim))) throw new LeaseLostError();
    if (schedule) {
      await deleteDeadRuns(tx, schedule, { except: claim.id });
      await enqueueRun(tx, schedule, { now, runAt: nextRun(claim.runAt, schedule.everyMs, now) });
      await recordRun(tx, schedule, { now, error: null });
    }
    await effects?.(tx);
  });
};

/** Enqueues the next run of a schedule even though this one is dead. */
const enqueueAfterDeath = async (
  tx: Tx,
  schedule: Schedule,
  { id, now }: { id: string; now: number },
): Promise<void> => {
  await deleteDeadRuns(tx, schedule, { except: id });
  await enqueueRun(tx, schedule, { now, runAt: now + schedule.everyMs });
};

export type FailureOutcome = 'retry' | 'dead' | 'lost' | 'postponed' | 'dropped';

type Failure = {
  now: number;
  schedule: Schedule | null;
  error: unknown;
  random: number;
  onDead?: JobHandler<never>['onDead'];
};

/** Money is too important: an administrator sees which of these mails don’t arrive. */
const SEEN_LANE: Lane = 'mail';

export const failJob = async (
  { db }: Connection,
  claim: Claim,
  options: Failure,
): Promise<FailureOutcome> => {
  const { now, schedule, error, random, onDead } = options;
  // All mail to many waits then, and all deletions, so it is no failure of this one.
  const isLimit = error instanceof MailOverLimit && claim.lane === BULK_LANE;
  if (isLimit || error instanceof ClockDoubted) {
    const release = { now, runAt: error.until, reason: describeError(error) };
    return (await releaseLease(db, claim, release)) ? 'postponed' : 'lost';
  }
  const isRefused = error instanceof AddressRefused;
  if (isRefused && claim.lane !== SEEN_LANE)
    return db.transaction().execute(async (tx) => {
      if (!(await deleteClaimed(tx, claim))) return 'lost';
      await onDead?.(tx, claim.payload, now);
      return 'dropped';
    });
  const isLast = claim.attempt >= claim.maxAttempts || isRefused || error instanceof NeedsDecision;
  const retryAt = isLast ? null : now + backoffDelay(claim.attempt, random);
  return db.transaction().execute(async (tx) => {
    const failure = { now, retryAt, error: describeError(error) };
    if (!(await recordFailure(tx, claim, failure))) return 'lost';
    if (schedule) await recordRun(tx, schedule, { now, error: failure.error });
    if (isLast && schedule) await enqueueAfterDeath(tx, schedule, { id: claim.id, now });
    if (isLast) await onDead?.(tx, claim.payload, now);
    return isLast ? 'dead' : 'retry';
  });
};

export const recoverJobs = async (
  { db, dialect }: Connection,
  schedules: ReadonlyMap<string, Schedule>,
  now: number,
  handlers: ReadonlyMap<string, Pick<JobHandler<never>, 'onDead'>> = new Map(),
): Promise<Omit<RecoveredJob, 'payload'>[]> => {
  // Every poll asks this and the answer is nearly always no; a transaction would take SQLite's write lock.
  if (!(await hasExpired(db, now))) return [];
  return db.transaction().execute(async (tx) => {
    const recovered = await recoverExpired({ db: tx, dialect }, now);
    for (const { id, name, payload, isDead } of recovered) {
      if (!isDead) continue;
      const schedule = schedules.get(name);
      if (schedule) await enqueueAfterDeath(tx, schedule, { id, now });
      await handlers.get(name)?.onDead(tx, payload, now);
    }
    return recovered.map(({ payload: _payload, ...job }) => job);
  });
};
