import { sql } from 'kysely';
import { DAY, HOUR, MINUTE } from '#contract/rules/time.ts';
import type { Db } from '../../db/connect.ts';
import type { JobsTable } from '../../db/types/tables.ts';
import { STOPPED } from '../../jobs/leases.ts';
import { plural, type Check } from './check.ts';

const LANES = ['urgent-mail', 'mail', 'bulk-mail'];
/** A mail server that is away for less is nobody’s business at night. */
const LATE_MS = HOUR;
/** What was refused for good is on the list of failed jobs; its words help on the day it happens. */
const REFUSED_MS = DAY;

type MailJob = Pick<JobsTable, 'state' | 'run_at' | 'created_at' | 'updated_at' | 'last_error'>;

/**
 * What failed at least once and still waits an hour after it should have gone, what nobody even tried
 * for an hour, and what was refused for good. Mail to many may wait for its pace, but not for an error.
 */
const selectLate = (db: Db, now: number) =>
  db
    .selectFrom('jobs')
    .where('lane', 'in', LANES)
    .where((where) =>
      where.or([
        where.and([
          where('state', '=', sql.lit('ready')),
          where('created_at', '<=', now - LATE_MS),
          where('last_error', 'is not', null),
          where('last_error', '<>', STOPPED),
        ]),
        where.and([
          where('state', '=', sql.lit('ready')),
          where('lane', '<>', 'bulk-mail'),
          where('run_at', '<=', now - LATE_MS),
        ]),
        where.and([
          where('state', '=', sql.lit('dead')),
          where('updated_at', '>', now - REFUSED_MS),
        ]),
      ]),
    )
    .where(
      sql<boolean>`(select count(*) from job_pauses where target in ('lane:' || jobs.lane, 'job:' || jobs.name)) = 0`,
    );

/** An address says who; the rest says why. */
const withoutAddresses = (text: string): string =>
  text.replaceAll(/<?[^\s<>"']+@[^\s<>"']+>?/g, '…');

const describeWords = ({ last_error: words }: Pick<MailJob, 'last_error'>): string =>
  words === null ? '' : ` The last answer: “${withoutAddresses(words).slice(0, 300)}”`;

/** Mail that was refused or waits, with the mail server’s own words. */
export const checkMail: Check = {
  kind: 'mail',
  everyMs: 10 * MINUTE,
  look: async ({ database, clock }) => {
    const now = clock.now();
    const { count } = await selectLate(database.db, now)
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    if (count === 0) return null;
    const last = await selectLate(database.db, now)
      .select('last_error')
      .orderBy(sql`case when last_error is null then 1 else 0 end`)
      .orderBy('updated_at', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow();
    const mails = plural(count, 'e-mail was', 'e-mails were');
    const text = `${mails} refused, or couldn’t go out for more than an hour.${describeWords(last)}`;
    return { text, count, isUrgent: true };
  },
};
