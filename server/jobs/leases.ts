import { sql, type SqlBool, type UpdateObject } from 'kysely';
import type { Database, Db } from '../db/connect.ts';
import { prepareQuery } from '../db/prepare-query.ts';
import type { Tables } from '../db/types/tables.ts';
import { newId } from '../db/ids.ts';
import { backoffDelay } from './backoff.ts';
import { BULK_LANE, claimAtPace } from './bulk-mail.ts';
import { LANE_NAMES, type Lane } from './lanes.ts';

export type Claim = {
  id: string;
  name: string;
  lane: Lane;
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

/**
 * Counted instead of `not exists`, which PostgreSQL would turn into a join that loses the order of the
 * index. The first part is the same for a whole lane, so a paused lane costs one read.
 */
const isNotPaused = (lane: Lane) => sql<SqlBool>`
  (select count(*) from job_pauses where target = ${sql.lit(`lane:${lane}`)}) = 0
  and (select count(*) from job_pauses where target = 'job:' || jobs.name) = 0`;

const noLease = { lease_token: null, lease_until: null };

type Connection = Pick<Database, 'db' | 'dialect'>;

/** The first due job of every lane that isn’t paused. Every look for work asks this, so PostgreSQL plans it only once. */
export const listHeads = prepareQuery((db, now: number) => {
  const heads = LANE_NAMES.map(
    (lane) => sql`select * from (select lane, run_at, id from jobs
      where state = 'ready' and lane = ${sql.lit(lane)} and run_at <= ${now} and ${isNotPaused(lane)}
      order by run_at, id limit 1) as head`,
  );
  const query = sql<{
    lane: Lane;
    run_at: number;
  }>`${sql.join(heads, sql` union all `)} order by run_at, id`;
  return { compile: () => query.compile(db) };
}, 1);

/** Of these lanes the ones with a due job, the longest due first: one read, however long the queue is. */
export const listDueLanes = async (
  db: Db,
  lanes: readonly Lane[],
  now: number,
): Promise<Lane[]> => {
  if (lanes.length === 0) return [];
  const due = (await listHeads(db, now)).map(({ lane }) => lane);
  return due.filter((lane) => lanes.includes(lane));
};

type Wanted = { lane: Lane; names: readonly string[] };
type ClaimTimes = { now: number; leaseMs: number };

/** Claims the job of a lane that has been due longest, for this worker alone until the lease expires. */
export const claimNext = async (
  connection: Connection,
  wanted: Wanted,
  times: ClaimTimes,
): Promise<Claim | null> => {
  if (wanted.names.length === 0) return null;
  if (wanted.lane !== BULK_LANE) return claimDue(connection, wanted, times);
  const { dialect } = connection;
  return claimAtPace(connection, times.now, (db) => claimDue({ db, dialect }, wanted, times));
};

const claimDue = async (
  { db, dialect }: Connection,
  { lane, names }: Wanted,
  { now, leaseMs }: ClaimTimes,
): Promise<Claim | null> => {
  const token = newId(now);
  const due = db
    .selectFrom('jobs')
    .select('id')
    .where('state', '=', READY)
    .where('lane', '=', lane)
    .where('run_at', '<=', now)
    .where('name', 'in', names)
    .where(isNotPaused(lane))
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
        lane,
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

/**
 * A restart or a kill is no failure of the job it interrupted. But a job that itself ends the server
 * every time must not do so for ever.
 */
export const MAX_INTERRUPTIONS = 20;
/** A deployment or two: after that, the job waits longer each time, like after failures. */
const FREE_INTERRUPTIONS = 3;

export const STOPPED = 'The server stopped while this job was running.';
const STOPS_SERVER = `The server stopped ${MAX_INTERRUPTIONS} times while this job was running. The job may be the reason, so it isn’t started again by itself.`;

export type RecoveredJob = {
  id: string;
  name: string;
  payload: string;
  interruptions: number;
  isDead: boolean;
};

const listExpired = ({ db, dialect }: Connection, now: number) => {
  const query = db
    .selectFrom('jobs')
    .select(['id', 'name', 'payload', 'interruptions'])
    .where('state', '=', RUNNING)
    .where('lease_until', '<=', now);
  return (dialect === 'postgres' ? query.forUpdate().skipLocked() : query).execute();
};

/** Call it in a transaction. Jobs whose worker disappeared become ready again. */
export const recoverExpired = async (
  connection: Connection,
  now: number,
  random = 0,
): Promise<RecoveredJob[]> => {
  const recovered: RecoveredJob[] = [];
  for (const { interruptions: before, ...job } of await listExpired(connection, now)) {
    const interruptions = before + 1;
    const isDead = interruptions >= MAX_INTERRUPTIONS;
    const times = interruptions - FREE_INTERRUPTIONS;
    await connection.db
      .updateTable('jobs')
      .set((eb) => ({
        ...noLease,
        state: isDead ? ('dead' as const) : ('ready' as const),
        // The attempt was counted when it started.
        attempts: eb('attempts', '-', 1),
        interruptions,
        ...(times > 0 && { run_at: now + backoffDelay(times, random) }),
        last_error: isDead ? STOPS_SERVER : STOPPED,
        updated_at: now,
      }))
      .where('id', '=', job.id)
      .execute();
    recovered.push({ ...job, interruptions, isDead });
  }
  return recovered;
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

/** Releases the job without counting the attempt, until a later time if there is one. */
export const releaseLease = (
  db: Db,
  claim: Claim,
  { now, runAt, reason }: { now: number; runAt?: number; reason?: string },
): Promise<boolean> =>
  updateClaimed(db, claim, {
    ...noLease,
    state: 'ready',
    attempts: sql<number>`attempts - 1`,
    ...(runAt !== undefined && { run_at: runAt }),
    ...(reason !== undefined && { last_error: reason }),
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
