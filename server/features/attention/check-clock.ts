import { describeClockOffset } from '#contract/admin/clock-offset.ts';
import { DAY, HOUR, SECOND } from '#contract/rules/time.ts';
import type { Deps } from '../../deps.ts';
import type { Check, Problem } from './check.ts';
import { FRESH_MS } from './server-readings.ts';

/** Two-step codes fail at half a minute; an answer from the provider takes some seconds. */
const TOLERANCE_MS = 30 * SECOND;

const isWrong = (offset: number): boolean => Math.abs(offset) > TOLERANCE_MS;

const advise = 'Releases, payments and two-step codes depend on it: turn on time synchronisation.';

/** Of every server, against the one clock that they share. */
async function compareWithDatabase({ database, clock }: Deps): Promise<Problem | null> {
  const servers = await database.db
    .selectFrom('server_readings')
    .select(['server', 'clock_offset'])
    .where('read_at', '>', clock.now() - FRESH_MS)
    .orderBy('server')
    .execute();
  const wrong = servers.flatMap(({ server, clock_offset: offset }) =>
    offset !== null && isWrong(offset)
      ? [`The clock of ${server} is ${describeClockOffset(offset)} the database’s.`]
      : [],
  );
  if (wrong.length === 0) return null;
  return { text: `${wrong.join(' ')} ${advise}`, count: wrong.length, isUrgent: true };
}

/** Time doesn't go back: the clock was wrong when the site last looked, or is now. */
async function findStepBack({ database, clock }: Deps): Promise<Problem | null> {
  const last = await database.db
    .selectFrom('site_checks')
    .select('tried_at')
    .where('kind', '=', 'clock')
    .executeTakeFirst();
  const offset = clock.now() - (last?.tried_at ?? 0);
  if (offset >= -TOLERANCE_MS) return null;
  const text = `The clock is ${describeClockOffset(offset)} when the site last looked. Either it was wrong then, or it is now. ${advise}`;
  return { text, isUrgent: true };
}

/** The worker notes a jump of days by itself, and deletes nothing for a day after it. */
async function findJump({ database }: Deps): Promise<Problem | null> {
  const mark = await database.db.selectFrom('clock_mark').select('steady_ms').executeTakeFirst();
  if (!mark || mark.steady_ms >= DAY) return null;
  const text =
    'The clock is days ahead of when the site last ran. If it is wrong, put it right; if the site was only off, ignore this: nothing is deleted until it has run for a day.';
  return { text, isUrgent: true };
}

/** Payment providers say what time it is in every answer. */
async function compareWithProvider({ payments, clock }: Deps): Promise<Problem | null> {
  if (!payments.readTime) return null;
  const offset = clock.now() - (await payments.readTime());
  if (!isWrong(offset)) return null;
  const text = `The clock is ${describeClockOffset(offset)} the payment provider’s. ${advise}`;
  return { text, isUrgent: true };
}

/**
 * Against every clock that can be asked: the database’s on PostgreSQL, the provider’s, and its own past.
 * The page that shows this compares with the device’s too (`web/admin/week/device-clock.ts`).
 */
export const checkClock: Check = {
  kind: 'clock',
  everyMs: HOUR,
  look: async (deps) =>
    (await compareWithDatabase(deps)) ??
    (await compareWithProvider(deps)) ??
    (await findStepBack(deps)) ??
    (await findJump(deps)),
};
