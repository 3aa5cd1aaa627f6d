import type { Db } from '../db/connect.ts';
import type { JobHandler } from './define-job.ts';
import { enqueue } from './queue.ts';

export type Schedule = Pick<JobHandler<never>, 'name' | 'lane' | 'maxAttempts'> & {
  everyMs: number;
};

export const toSchedule = (handler: JobHandler<never>): Schedule | null =>
  handler.everyMs === undefined
    ? null
    : {
        name: handler.name,
        lane: handler.lane,
        maxAttempts: handler.maxAttempts,
        everyMs: handler.everyMs,
      };

/**
 * The first regular time after now. Runs missed during a downtime are replaced by a single one. It is
 * never further away than one period, also when the clock was fast and has been put right.
 */
export const nextRun = (due: number, everyMs: number, now: number): number =>
  due > now ? now + everyMs : due + everyMs * (Math.floor((now - due) / everyMs) + 1);

/** The unique key makes this one row, however many processes enqueue it. */
export const enqueueRun = async (
  db: Db,
  schedule: Schedule,
  { now, runAt }: { now: number; runAt: number },
): Promise<void> => {
  const request = {
    name: schedule.name,
    lane: schedule.lane,
    maxAttempts: schedule.maxAttempts,
    encode: (payload: object) => JSON.stringify(payload),
  };
  await enqueue(db, request, {}, { now, runAt, uniqueKey: `schedule:${schedule.name}` });
};

/** The newest dead run shows what is wrong; a successful run makes even that obsolete. */
export const deleteDeadRuns = async (
  db: Db,
  schedule: Schedule,
  { except }: { except: string },
): Promise<void> => {
  await db
    .deleteFrom('jobs')
    .where('state', '=', 'dead')
    .where('name', '=', schedule.name)
    .where('id', '!=', except)
    .execute();
};

/** Shows administrators how the last run of a schedule went. */
export const recordRun = async (
  db: Db,
  schedule: Schedule,
  { now, error }: { now: number; error: string | null },
): Promise<void> => {
  const run = { ended_at: now, error };
  await db
    .insertInto('schedule_runs')
    .values({ name: schedule.name, ...run })
    .onConflict((conflict) => conflict.column('name').doUpdateSet(run))
    .execute();
};
