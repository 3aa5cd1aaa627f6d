import { sql } from 'kysely';
import { describeJob, type JobLane } from '#contract/admin/job-names.ts';
import { DAY, HOUR, MINUTE } from '#contract/rules/time.ts';
import type { Db } from '../../db/connect.ts';
import { plural, type Check } from './check.ts';

/**
 * How long a job may be due before somebody has to look. Mail has a check of its own, and mail to many
 * its pace. Half an hour of audio is usual after an upload of several mixes.
 */
const WAITS: Partial<Record<JobLane, number>> = {
  payments: HOUR,
  uploads: HOUR,
  media: 6 * HOUR,
  clips: 2 * HOUR,
  files: DAY,
  outside: DAY,
  scrobbles: DAY,
  notices: 2 * HOUR,
  housekeeping: HOUR,
  watch: HOUR,
};

/** A job fails now and then. Five times in a row take five minutes at least, and aren’t chance. */
const MANY_ATTEMPTS = 5;
/** Restarts count too, so only what keeps being interrupted may be what stops the server. */
const MANY_INTERRUPTIONS = 3;
/** Their reasons are at the mail server, or at services that listeners chose. */
const OTHERS_FAULT = ['urgent-mail', 'mail', 'bulk-mail', 'scrobbles', 'notices'];

const isNotPaused = sql<boolean>`(select count(*) from job_pauses
  where target in ('lane:' || jobs.lane, 'job:' || jobs.name)) = 0`;

const selectWaiting = (db: Db, now: number) =>
  db
    .selectFrom('jobs')
    .select(['name', (eb) => eb.fn.countAll<number>().as('count')])
    .where('state', '=', sql.lit('ready'))
    .where((where) =>
      where.or(
        Object.entries(WAITS).map(([lane, ms]) =>
          where.and([where('lane', '=', lane), where('run_at', '<=', now - ms)]),
        ),
      ),
    )
    .where(isNotPaused)
    .groupBy('name')
    .orderBy('name');

const selectRepeating = (db: Db) =>
  db
    .selectFrom('jobs')
    .select(['name', (eb) => eb.fn.countAll<number>().as('count')])
    .where('state', '<>', sql.lit('dead'))
    .where((where) =>
      where.or([
        where('interruptions', '>=', MANY_INTERRUPTIONS),
        where.and([where('attempts', '>=', MANY_ATTEMPTS), where('lane', 'not in', OTHERS_FAULT)]),
      ]),
    )
    .groupBy('name')
    .orderBy('name');

type Named = { name: string; count: number };

const sum = (rows: readonly Named[]): number => rows.reduce((total, { count }) => total + count, 0);
const MAX_NAMES = 3;
const nameAll = (rows: readonly Named[]): string => {
  const names = rows.slice(0, MAX_NAMES).map(({ name }) => `“${describeJob(name).name}”`);
  return rows.length > MAX_NAMES ? `${names.join(', ')} and others` : names.join(', ');
};

/** Jobs that wait longer than their lane should, fail again and again, or end with the server. */
export const checkJobs: Check = {
  kind: 'jobs',
  everyMs: 10 * MINUTE,
  look: async ({ database, clock }) => {
    const waiting = await selectWaiting(database.db, clock.now()).execute();
    const repeating = await selectRepeating(database.db).execute();
    const count = sum(waiting) + sum(repeating);
    if (count === 0) return null;
    const late = plural(sum(waiting), 'job waits', 'jobs wait');
    const again = plural(sum(repeating), 'job keeps', 'jobs keep');
    const sentences = [
      ...(waiting.length > 0 ? [`${late} far too long: ${nameAll(waiting)}.`] : []),
      ...(repeating.length > 0
        ? [`${again} failing or being interrupted: ${nameAll(repeating)}.`]
        : []),
    ];
    return { text: sentences.join(' '), count };
  },
};
