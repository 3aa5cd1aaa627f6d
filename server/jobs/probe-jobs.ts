import { sql } from 'kysely';
import type { Db } from '../db/connect.ts';
import type { JobsProbe } from './jobs-handle.ts';

const LONGEST_WAIT_MS = 5 * 60 * 1000;

export type QueueState = { oldestDueAt: number | null; deadCount: number };

export const readQueueState = async (db: Db): Promise<QueueState> => {
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
    .executeTakeFirstOrThrow();
  return { oldestDueAt: oldest?.run_at ?? null, deadCount: dead.count };
};

export const judgeQueue = ({ oldestDueAt, deadCount }: QueueState, now: number): JobsProbe => {
  if (oldestDueAt !== null && now - oldestDueAt > LONGEST_WAIT_MS) {
    const minutes = Math.floor((now - oldestDueAt) / 60_000);
    return { status: 'degraded', detail: `A job has been waiting for ${minutes} minutes.` };
  }
  if (deadCount > 0) {
    return { status: 'degraded', detail: `Jobs that failed for the last time: ${deadCount}.` };
  }
  return { status: 'ok', detail: 'Jobs run as they come.' };
};
