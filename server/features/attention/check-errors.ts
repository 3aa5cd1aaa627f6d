import { formatNumber } from '#contract/rules/format.ts';
import { DAY, HOUR, MINUTE } from '#contract/rules/time.ts';
import type { Db } from '../../db/connect.ts';
import { plural, type Check } from './check.ts';
import { writeFailures } from './failed-answers.ts';

const WINDOW_MINUTES = 15;
const WINDOW_MS = WINDOW_MINUTES * MINUTE;
/** What is usual: the last week, without the hour in which it may have begun. */
const USUAL_MS = 7 * DAY;
const KEPT_MS = USUAL_MS + HOUR;
/** Fewer are no reason to look, however quiet the site is. */
const FEW = 10;
const TIMES_USUAL = 5;

const countBetween = async (db: Db, from: number, to: number): Promise<number> => {
  const { sum } = await db
    .selectFrom('failed_answers')
    .select((eb) => eb.fn.coalesce(eb.fn.sum<number>('count'), eb.lit(0)).as('sum'))
    .where('minute', '>', from)
    .where('minute', '<=', to)
    .executeTakeFirstOrThrow();
  return sum;
};

/** Answers with an error of ours, compared with the last days. */
export const checkErrors: Check = {
  kind: 'errors',
  everyMs: 10 * MINUTE,
  look: async ({ database, clock }) => {
    const { db } = database;
    const now = clock.now();
    await writeFailures({ database });
    await db
      .deleteFrom('failed_answers')
      .where('minute', '<', now - KEPT_MS)
      .execute();
    const failed = await countBetween(db, now - WINDOW_MS, now);
    const before = await countBetween(db, now - USUAL_MS, now - HOUR);
    const usual = before / ((USUAL_MS - HOUR) / WINDOW_MS);
    if (failed < FEW || failed <= TIMES_USUAL * usual) return null;
    const perMinute = failed / WINDOW_MINUTES;
    const rate = perMinute >= 1 ? `, ${Math.round(perMinute)} a minute` : '';
    const normal = usual < 1 ? 'hardly any' : `about ${formatNumber(Math.round(usual))}`;
    const requests = plural(failed, 'request', 'requests');
    return {
      text: `${requests} failed in the last ${WINDOW_MINUTES} minutes${rate}; usually it’s ${normal}. The log says why.`,
      count: failed,
      isUrgent: true,
    };
  },
};
