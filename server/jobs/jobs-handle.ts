import type { HealthStatus } from '#contract/system.ts';
import { sql } from 'kysely';
import type { Db } from '../db/connect.ts';
import { DAY, MINUTE } from '#contract/rules/time.ts';
import { readMailPace } from '../ports/mail/mail-pace.ts';
import { BULK_LANE } from './bulk-mail.ts';
import { listHeads } from './leases.ts';

/** What the rest of the server sees of the worker. */
export type Jobs = {
  /** Call it after the transaction that enqueued a job, so that the job starts without waiting for a poll. */
  wake: () => void;
  probe: () => Promise<JobsProbe>;
};

export type JobsProbe = {
  status: HealthStatus;
  /** A message for the operator. */
  detail: string;
};

export type JobsHandle = Jobs & { attach: (worker: Jobs) => void };

/**
 * The deps contain the worker, and the worker's handlers need the deps. So the deps get this handle,
 * and the worker is attached to it later.
 */
export const createJobsHandle = (): JobsHandle => {
  let worker: Jobs | null = null;
  return {
    attach: (attached) => {
      worker = attached;
    },
    wake: () => worker?.wake(),
    probe: async () =>
      worker ? worker.probe() : { status: 'error', detail: 'No job worker is running.' },
  };
};

const MAX_WAIT_MS = 5 * MINUTE;
/** Older ones stay visible to administrators, but don't count as a problem. */
const RECENTLY_DEAD_MS = DAY;

/** Since when the job that has waited longest could have run; mail to many only since its turn came. */
async function findOldest(db: Db, now: number): Promise<number> {
  const { nextAt, pausedUntil } = await readMailPace(db, now);
  const dueSince = (await listHeads(db, now)).map(({ lane, run_at: runAt }) =>
    lane === BULK_LANE ? Math.max(runAt, nextAt, pausedUntil) : runAt,
  );
  return Math.min(now, ...dueSince);
}

export const probeQueue = async (db: Db, now: number): Promise<JobsProbe> => {
  const waitedMs = now - (await findOldest(db, now));
  const dead = await db
    .selectFrom('jobs')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('state', '=', sql.lit('dead'))
    .where('updated_at', '>', now - RECENTLY_DEAD_MS)
    .executeTakeFirstOrThrow();
  if (waitedMs > MAX_WAIT_MS) {
    const minutes = Math.floor(waitedMs / MINUTE);
    return { status: 'degraded', detail: `A job has been waiting for ${minutes} minutes.` };
  }
  if (dead.count > 0) {
    return { status: 'degraded', detail: `Jobs that failed within the last day: ${dead.count}.` };
  }
  return { status: 'ok', detail: 'Jobs are running normally.' };
};
