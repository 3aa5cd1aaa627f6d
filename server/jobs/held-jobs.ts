import type { Db } from '../db/connect.ts';
import { findDefinedJob, type RunningJob } from './define-job.ts';
import { enqueue } from './queue.ts';

/** Finishes the job for now; it runs again once its user has verified the e-mail address. */
export async function holdJob(
  db: Db,
  { id, finish }: RunningJob,
  { userId, now }: { userId: string; now: number },
): Promise<void> {
  const job = await db
    .selectFrom('jobs')
    .select(['id', 'name', 'payload', 'max_attempts'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  await finish(async (tx) => {
    await tx
      .insertInto('held_jobs')
      .values({ ...job, user_id: userId, created_at: now })
      .execute();
  });
}

/** In the transaction that verifies the address. */
export async function releaseHeldJobs(tx: Db, userId: string, now: number) {
  const held = await tx
    .deleteFrom('held_jobs')
    .where('user_id', '=', userId)
    .returning(['id', 'name', 'payload', 'max_attempts'])
    .execute();
  for (const { name, payload, max_attempts } of held.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
    const lane = findDefinedJob(name)?.lane ?? 'mail';
    const request = { name, lane, maxAttempts: max_attempts, encode: () => payload };
    await enqueue(tx, request, null, { now });
  }
}
