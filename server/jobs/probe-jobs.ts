import { sql } from 'kysely';
import type { Db } from '../db/connect.ts';
import type { JobsProbe } from './jobs-handle.ts';
import { DAY, MINUTE } from '#contract/rules/time.ts';

const LONGEST_WAIT_MS = 5 * MINUTE;
/** Older ones are kept for a person to read, but are no news. */
const DEAD_NEWS_MS = DAY;

type QueueState = {
  oldestDueAt: number | null;
  /** Jobs buried within the last day. */
  deadCount: number;
};

const readQueueState = async (db: Db, now: number): Promise<QueueState> => {
  const oldest = await db
    .selectFrom('jobs')
    .select('run_at')
    .where('state', '=', sql.lit('ready'))
    .orderBy('run_at')
    .limit(1)
    .executeTakeFirst();
  const dead = await db
    .selectFrom('jobs')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('state', '=', sql.lit('dead'))
    .where('updated_at', '>', now - DEAD_NEWS_MS)
    .executeTakeFirstOrThrow();
  return { oldestDueAt: oldest?.run_at ?? null, deadCount: dead.count };
};

const judgeQueue = ({ oldestDueAt, deadCount }: QueueState, now: number): JobsProbe => {
  if (oldestDueAt !== null && now - oldestDueAt > LONGEST_WAIT_MS) {
    const minutes = Math.floor((now - oldestDueAt) / 60_000);
    return { status: 'degraded', detail: `A job has been waiting for ${minutes} minutes.` };
  }
  if (deadCount > 0) {
    return {
      status: 'degraded',
      detail: `Jobs that failed for the last time within a day: ${deadCount}.`,
    };
  }
  return { status: 'ok', detail: 'Jobs run as they come.' };
};

export const probeQueue = async (db: Db, now: number): Promise<JobsProbe> =>
  judgeQueue(await readQueueState(db, now), now);
