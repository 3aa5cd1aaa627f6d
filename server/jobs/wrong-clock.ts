import { sql } from 'kysely';
import { DAY, HOUR, MINUTE } from '#contract/rules/time.ts';
import type { Database, Db } from '../db/connect.ts';
import { MAX_AHEAD_MS, readClockOffset } from '../db/database-clock.ts';
import type { WorkerDeps } from './run-job.ts';

/** Clocks of several servers differ a little. */
const TOLERANCE_MS = MINUTE;
/** Jobs planned further ahead belong to a date, such as that of a price change, and keep it. */
const MAX_DELAY_MS = DAY;

/**
 * Jobs that were written while the clock was fast would wait until it gets there again. Their waiting
 * time starts again now, and a lease lasts no longer than a lease. Returns whether there were any.
 */
export async function repairTimes(
  db: Db,
  { now, leaseMs }: { now: number; leaseMs: number },
): Promise<boolean> {
  const latest = now + TOLERANCE_MS;
  const fast = await db
    .selectFrom('jobs')
    .select('id')
    .where((eb) =>
      eb.or([
        eb.and([eb('state', '=', 'ready'), eb('updated_at', '>', latest)]),
        eb.and([eb('state', '=', 'running'), eb('lease_until', '>', latest + leaseMs)]),
      ]),
    )
    .limit(1)
    .executeTakeFirst();
  if (!fast) return false;
  await db
    .updateTable('jobs')
    .set({ run_at: sql<number>`run_at - updated_at + cast(${now} as bigint)`, updated_at: now })
    .where('state', '=', 'ready')
    .where('updated_at', '>', latest)
    .where((eb) =>
      eb('run_at', '<=', sql<number>`updated_at + cast(${MAX_DELAY_MS} as bigint)`).or(
        'unique_key',
        'like',
        'schedule:%',
      ),
    )
    .execute();
  await db
    .updateTable('jobs')
    // It was due when it started, and would be due then if its worker disappears.
    .set({ lease_until: now + leaseMs, run_at: now })
    .where('state', '=', 'running')
    .where('lease_until', '>', latest + leaseMs)
    .execute();
  return true;
}

/**
 * A longer step is a jump of the clock, or a long downtime: nobody can tell which. What must not be
 * deleted too early stays for this long after its end, because a shorter jump isn't noticed.
 */
export const UNNOTICED_MS = 2 * DAY;
/** How long the site has to run after that until the time is believed. */
const STEADY_MS = DAY;
/** More between two looks was a downtime, which proves nothing. */
const MAX_STEP_MS = HOUR;

/**
 * Whether the time may decide what is deleted. After a jump, ahead or back, it may not until the site
 * has run for a day, so that a clock that is wrong for some hours deletes nothing.
 */
export async function isClockSteady({
  database: { db },
  clock,
  log,
}: WorkerDeps): Promise<boolean> {
  const now = clock.now();
  const mark = await db.selectFrom('clock_mark').selectAll().executeTakeFirst();
  if (!mark) {
    await db
      .insertInto('clock_mark')
      .values({ id: 1, seen_at: now, steady_ms: STEADY_MS })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    return true;
  }
  const step = now - mark.seen_at;
  const isJump = Math.abs(step) > UNNOTICED_MS;
  const added = Math.min(Math.max(step, 0), MAX_STEP_MS);
  const steady = isJump ? 0 : Math.min(mark.steady_ms + added, STEADY_MS);
  await db.updateTable('clock_mark').set({ seen_at: now, steady_ms: steady }).execute();
  if (isJump)
    log.warn(
      { days: Math.round(step / DAY) },
      `The clock is days ${step > 0 ? 'ahead of' : 'behind'} when the site last ran. If it is wrong, put it right: nothing is deleted until the site has run for a day.`,
    );
  return steady >= STEADY_MS;
}

/** Nobody is charged early because the clock of this machine is wrong, where the database knows better. */
export async function refuseFastClock(database: Database): Promise<void> {
  const ahead = await readClockOffset(database);
  if (ahead !== null && ahead > MAX_AHEAD_MS)
    throw new Error(
      `The clock is ${Math.round(ahead / MINUTE)} minutes ahead of the database’s: nobody is charged until it is right.`,
    );
}

/** What deletes something some time after it was planned waits until it is certain that this is over. */
export class ClockDoubted extends Error {
  override name = 'ClockDoubted';
  readonly until: number;

  constructor(now: number) {
    super('Nothing is deleted until the clock is certain: the site has to run for a day.');
    this.until = now + HOUR;
  }
}

export async function requireSteadyClock(deps: WorkerDeps): Promise<void> {
  if (!(await isClockSteady(deps))) throw new ClockDoubted(deps.clock.now());
}
