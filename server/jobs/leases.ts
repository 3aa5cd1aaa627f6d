import { sql, type UpdateObject } from 'kysely';
import type { Database, Db } from '../db/connect.ts';
import type { Tables } from '../db/tables.ts';
import { newId } from '../ids.ts';

export type Claim = {
  id: string;
  name: string;
  payload: string;
  token: string;
  attempt: number;
  maxAttempts: number;
  /** When the job was due. */
  runAt: number;
};

/** Literals, because SQLite uses a partial index only if the query contains its condition. */
const READY = sql.lit('ready' as const);
const RUNNING = sql.lit('running' as const);

const noLease = { lease_token: null, lease_until: null };

type Connection = Pick<Database, 'db' | 'dialect'>;

/** Claims the job that has been due longest, for this worker alone until the lease expires. */
export const claimNext = async (
  { db, dialect }: Connection,
  names: readonly string[],
  { now, leaseMs }: { now: number; leaseMs: number },
): Promise<Claim | null> => {
  if (names.length === 0) return null;
  const token = newId(now);
  const due = db
    .selectFrom('jobs')
    .select('id')
    .where('state', '=', READY)
    .where('run_at', '<=', now)
    .where('name', 'in', names)
    .orderBy('run_at')
    .orderBy('id')
    .limit(1);
  const row = await db
    .updateTable('jobs')
    .set((eb) => ({
      state: 'running' as const,
      lease_token: token,
      lease_until: now + leaseMs,
      attempts: eb('attempts', '+', 1),
      updated_at: now,
    }))
    .where('id', '=', dialect === 'postgres' ? due.forUpdate().skipLocked() : due)
    .returning(['id', 'name', 'payload', 'attempts', 'max_attempts', 'run_at'])
    .executeTakeFirst();
  return row
    ? {
        id: row.id,
        name: row.name,
        payload: row.payload,
        token,
        attempt: row.attempts,
        maxAttempts: row.max_attempts,
        runAt: row.run_at,
      }
    : null;
};

export const hasExpired = async (db: Db, now: number): Promise<boolean> => {
  const row = await db
    .selectFrom('jobs')
    .select('id')
    .where('state', '=', RUNNING)
    .where('lease_until', '<=', now)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
};

const LOST_WORKER = 'The worker stopped before the job was done.';

/** Jobs whose worker disappeared become ready again, or dead if that was their last attempt. */
export const recoverExpired = async (
  { db, dialect }: Connection,
  now: number,
): Promise<{ id: string; name: string; payload: string; isDead: boolean }[]> => {
  const expired = db
    .selectFrom('jobs')
    .select('id')
    .where('state', '=', RUNNING)
    .where('lease_until', '<=', now);
  const rows = await db
    .updateTable('jobs')
    .set((eb) => ({
      ...noLease,
      state: eb
        .case()
        .when('attempts', '>=', eb.ref('max_attempts'))
        .then(sql.lit('dead' as const))
        .else(sql.lit('ready' as const))
        .end(),
      last_error: LOST_WORKER,
      updated_at: now,
    }))
    .where('id', 'in', dialect === 'postgres' ? expired.forUpdate().skipLocked() : expired)
    .returning(['id', 'name', 'payload', 'state'])
    .execute();
  return rows.map(({ state, ...job }) => ({ ...job, isDead: state === 'dead' }));
};

/** Like all that follow, returns false if the lease now belongs to another worker. */
const updateClaimed = async (
  db: Db,
  claim: Claim,
  change: UpdateObject<Tables, 'jobs'>,
): Promise<boolean> => {
  const row = await db
    .updateTable('jobs')
    .set(change)
    .where('id', '=', claim.id)
    .where('lease_token', '=', claim.token)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
};

export const renewLease = (
  db: Db,
  claim: Claim,
  { now, leaseMs }: { now: number; leaseMs: number },
): Promise<boolean> => updateClaimed(db, claim, { lease_until: now + leaseMs, updated_at: now });

/** Releases the job without counting the attempt. */
export const releaseLease = (db: Db, claim: Claim, now: number): Promise<boolean> =>
  updateClaimed(db, claim, {
    ...noLease,
    state: 'ready',
    attempts: sql<number>`attempts - 1`,
    updated_at: now,
  });

/** With `retryAt` null the job is dead: it stays for an administrator to see. */
export const recordFailure = (
  db: Db,
  claim: Claim,
  { now, retryAt, error }: { now: number; retryAt: number | null; error: string },
): Promise<boolean> =>
  updateClaimed(db, claim, {
    ...noLease,
    state: retryAt === null ? 'dead' : 'ready',
    run_at: retryAt ?? claim.runAt,
    last_error: error,
    updated_at: now,
  });

export const deleteClaimed = async (db: Db, claim: Claim): Promise<boolean> => {
  const row = await db
    .deleteFrom('jobs')
    .where('id', '=', claim.id)
    .where('lease_token', '=', claim.token)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
};
