import type { Db } from '../db/connect.ts';
import type { JobHandler } from './define-job.ts';
import { enqueue } from './queue.ts';

export type Schedule = Pick<JobHandler<never>, 'name' | 'maxAttempts'> & { everyMs: number };

export const toSchedule = (handler: JobHandler<never>): Schedule | null =>
  handler.everyMs === undefined
    ? null
    : { name: handler.name, maxAttempts: handler.maxAttempts, everyMs: handler.everyMs };

/** The first beat after now. Beats that passed during a downtime are caught up by one run, not by many. */
export const nextRun = (due: number, everyMs: number, now: number): number =>
  due + everyMs * Math.max(1, Math.floor((now - due) / everyMs) + 1);

/** The unique key makes this one row however many processes ask for it. */
export const plan = async (
  db: Db,
  schedule: Schedule,
  { now, runAt }: { now: number; runAt: number },
): Promise<void> => {
  const request = {
    name: schedule.name,
    maxAttempts: schedule.maxAttempts,
    encode: (payload: object) => JSON.stringify(payload),
  };
  await enqueue(db, request, {}, { now, runAt, uniqueKey: `schedule:${schedule.name}` });
};

/** The newest dead letter tells what is wrong; a run that succeeds makes it moot. */
export const clearDeadLetters = async (
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

/** For whoever looks after the site: how the last run of recurring work went. */
export const noteRun = async (
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
