import { dayOf, hourOf } from '#contract/rules/days.ts';
import { MINUTE } from '#contract/rules/time.ts';

const QUARTER = 15 * MINUTE;

/** Clocks are asked once for each quarter of an hour: no zone differs by less. */
export function createSiteClock(timeZone: string) {
  const known = new Map<number, { day: string; hour: number }>();
  return (at: number) => {
    const quarter = Math.floor(at / QUARTER);
    const found = known.get(quarter) ?? { day: dayOf(at, timeZone), hour: hourOf(at, timeZone) };
    known.set(quarter, found);
    return found;
  };
}
