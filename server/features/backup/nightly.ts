import { dayOf, startOfDay } from '#contract/rules/days.ts';
import { DAY, HOUR, MINUTE } from '#contract/rules/time.ts';

/** 03:30, when hardly anybody listens. */
const TIME_OF_DAY = 3 * HOUR + 30 * MINUTE;

/** Whether there is no backup since the last 03:30. One that was missed is made up for. */
export function isBackupDue(lastAt: number | null, now: number, timeZone: string): boolean {
  const today = startOfDay(dayOf(now, timeZone), timeZone) + TIME_OF_DAY;
  const night =
    today <= now ? today : startOfDay(dayOf(now - DAY, timeZone), timeZone) + TIME_OF_DAY;
  // One in the future is from a clock that was fast.
  return lastAt === null || lastAt < night || lastAt > now;
}
