import type { Db } from '../../db/connect.ts';

/** Small enough that nobody waits for the write lock. */
const BATCH = 500;

const deleteSessions = (db: Db, now: number) =>
  db
    .deleteFrom('sessions')
    .where('token_hash', 'in', (select) =>
      select
        .selectFrom('sessions')
        .select('token_hash')
        .where('expires_at', '<=', now)
        .limit(BATCH),
    )
    .executeTakeFirst();

const deleteResets = (db: Db, now: number) =>
  db
    .deleteFrom('password_resets')
    .where('token_hash', 'in', (select) =>
      select
        .selectFrom('password_resets')
        .select('token_hash')
        .where('expires_at', '<=', now)
        .limit(BATCH),
    )
    .executeTakeFirst();

/** A limit whose time has passed says the same as no limit at all. */
const deleteRateLimits = (db: Db, now: number) =>
  db
    .deleteFrom('rate_limits')
    .where('key', 'in', (select) =>
      select.selectFrom('rate_limits').select('key').where('tat', '<=', now).limit(BATCH),
    )
    .where('tat', '<=', now)
    .executeTakeFirst();

/** Deletes what has run out, in batches, until nothing is left or the job is told to stop. */
export async function sweepExpired(db: Db, now: number, signal?: AbortSignal) {
  for (const deleteBatch of [deleteSessions, deleteResets, deleteRateLimits]) {
    let deleted = BATCH;
    while (deleted >= BATCH && !signal?.aborted) {
      const result = await deleteBatch(db, now);
      deleted = Number(result.numDeletedRows);
    }
  }
}
