import type { Db } from '../db/connect.ts';
import { newId } from '../db/ids.ts';
import { DEFAULT_LANE, type JobRequest } from './define-job.ts';

export type EnqueueOptions = {
  now: number;
  /** Not before this time; `now` when absent. */
  runAt?: number;
  /** While a job with this key is waiting or running, another one isn't added. */
  uniqueKey?: string;
};

/**
 * Pass the transaction that writes the data this job belongs to, so that both commit or neither.
 * Returns the id, or null if a job with the unique key exists.
 */
export const enqueue = async <P>(
  db: Db,
  job: JobRequest<P>,
  payload: P,
  { now, runAt, uniqueKey }: EnqueueOptions,
): Promise<string | null> => {
  const row = await db
    .insertInto('jobs')
    .values({
      id: newId(now),
      name: job.name,
      lane: job.lane ?? DEFAULT_LANE,
      payload: job.encode(payload),
      unique_key: uniqueKey ?? null,
      state: 'ready',
      run_at: runAt ?? now,
      attempts: 0,
      max_attempts: job.maxAttempts,
      interruptions: 0,
      lease_token: null,
      lease_until: null,
      last_error: null,
      created_at: now,
      updated_at: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  return row?.id ?? null;
};

export const isJobRunning = async (db: Db, id: string): Promise<boolean> => {
  const row = await db.selectFrom('jobs').select('state').where('id', '=', id).executeTakeFirst();
  return row?.state === 'running';
};

/** Whether a job with this key was waiting: then whoever asks does its work instead. */
export async function takeWaiting(tx: Db, uniqueKey: string): Promise<boolean> {
  const taken = await tx
    .deleteFrom('jobs')
    .where('unique_key', '=', uniqueKey)
    .where('state', '<>', 'running')
    .returning('id')
    .executeTakeFirst();
  return taken !== undefined;
}

/** Deletes jobs of these kinds whose payload matches, except those that are running. */
export async function deleteIdleJobs(
  tx: Db,
  jobs: readonly { name: string }[],
  matches: (payload: string) => boolean,
): Promise<void> {
  const names = jobs.map(({ name }) => name);
  const rows = await tx
    .selectFrom('jobs')
    .select(['id', 'payload'])
    .where('name', 'in', names)
    .where('state', '<>', 'running')
    .execute();
  const ids = rows.filter(({ payload }) => matches(payload)).map(({ id }) => id);
  if (ids.length > 0)
    await tx.deleteFrom('jobs').where('id', 'in', ids).where('state', '<>', 'running').execute();
}

/** Jobs of these kinds that failed for good since then run again, each once. */
export async function reviveDeadJobs(
  tx: Db,
  names: readonly string[],
  { since, now }: { since: number; now: number },
): Promise<void> {
  const dead = await tx
    .selectFrom('jobs')
    .select(['id', 'unique_key'])
    .where('state', '=', 'dead')
    .where('name', 'in', [...names])
    .where('updated_at', '>=', since)
    .orderBy('updated_at', 'desc')
    .execute();
  for (const { id, unique_key } of dead) {
    const same = await tx
      .selectFrom('jobs')
      .select('id')
      .where('unique_key', '=', unique_key ?? '')
      .where('state', '<>', 'dead')
      .executeTakeFirst();
    await (same
      ? tx.deleteFrom('jobs').where('id', '=', id).execute()
      : tx
          .updateTable('jobs')
          .set({ state: 'ready', attempts: 0, interruptions: 0, run_at: now, updated_at: now })
          .where('id', '=', id)
          .execute());
  }
}
