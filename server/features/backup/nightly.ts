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

/** How often the nightly run looks at the clock, and how long it waits after a backup that failed. */
const LOOKS_EVERY = 5 * MINUTE;
const RETRIES_AFTER = HOUR;

type Night = {
  isDue: () => Promise<boolean>;
  make: () => Promise<void>;
  onError: (error: unknown) => void;
};

/** Makes a backup if one is due; returns for how long to wait until the next look. */
export async function makeWhenDue({ isDue, make, onError }: Night): Promise<number> {
  let pause = LOOKS_EVERY;
  try {
    // If nobody can tell, the site may only be starting: a new one has no database yet.
    if (!(await isDue())) return pause;
    pause = RETRIES_AFTER;
    await make();
    return LOOKS_EVERY;
  } catch (error) {
    onError(error);
    return pause;
  }
}
