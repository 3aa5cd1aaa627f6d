import { sql } from 'kysely';
import { DAY, MINUTE } from '#contract/rules/time.ts';
import type { Db } from '../db/connect.ts';

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
