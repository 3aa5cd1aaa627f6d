import { sql } from 'kysely';
import type { Database, Db, Tx } from '../db/connect.ts';
import {
  isWithinPace,
  lockMailPace,
  readMailPace,
  type MailPace,
} from '../ports/mail/mail-pace.ts';
import type { Lane } from './lanes.ts';

/** Its jobs wait until the mail server's host allows another mail; each of them sends one. */
export const BULK_LANE = 'bulk-mail' satisfies Lane;

/** Jobs that run have not counted their mail yet. */
async function isDue(db: Db, pace: MailPace, now: number): Promise<boolean> {
  if (pace.intervalMs === 0) return isWithinPace(pace, 1, now);
  const { running } = await db
    .selectFrom('jobs')
    .select((eb) => eb.fn.countAll<number>().as('running'))
    .where('state', '=', sql.lit('running'))
    .where('lane', '=', BULK_LANE)
    .executeTakeFirstOrThrow();
  return isWithinPace(pace, running + 1, now);
}

/**
 * Calls `claim` if it is time for another mail to many. A job that has to wait isn't claimed, so
 * waiting costs it no attempt. Workers decide one after the other, so together they claim no more.
 */
export async function claimAtPace<T>(
  { db, dialect }: Pick<Database, 'db' | 'dialect'>,
  now: number,
  claim: (db: Db) => Promise<T | null>,
): Promise<T | null> {
  const pace = await readMailPace(db, now);
  if (!(await isDue(db, pace, now))) return null;
  if (pace.intervalMs === 0) return claim(db);
  return db.transaction().execute(async (tx: Tx) => {
    if (dialect === 'postgres') await lockMailPace(tx);
    return (await isDue(tx, await readMailPace(tx, now), now)) ? claim(tx) : null;
  });
}

type Site = { database: { db: Db }; clock: { now: () => number } };

export const countWaitingBulkMail = async (db: Db): Promise<number> => {
  const { waiting } = await db
    .selectFrom('jobs')
    .select((eb) => eb.fn.countAll<number>().as('waiting'))
    .where('state', '=', sql.lit('ready'))
    .where('lane', '=', BULK_LANE)
    .executeTakeFirstOrThrow();
  return waiting;
};

/**
 * How long it takes, in milliseconds, until `count` more mails to many are out, after those that wait
 * already. Null when nothing slows them down: then the mail server decides.
 */
export async function estimateBulkMail(
  { database: { db }, clock }: Site,
  count: number,
): Promise<number | null> {
  const now = clock.now();
  const { intervalMs, nextAt, pausedUntil } = await readMailPace(db, now);
  if (intervalMs === 0 && pausedUntil <= now) return null;
  const mails = count + (await countWaitingBulkMail(db));
  const start = Math.max(0, nextAt - now, pausedUntil - now);
  return start + mails * intervalMs;
}
