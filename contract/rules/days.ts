import { cacheDateFormats } from './format.ts';
import { HOUR } from './time.ts';

const dayFormatIn = cacheDateFormats('en-CA', { dateStyle: 'short' });
const hourFormatIn = cacheDateFormats('en-GB', { hour: '2-digit' });

/** The calendar day in a time zone: `2026-11-15`. */
export const dayOf = (at: number, timeZone: string): string => dayFormatIn(timeZone).format(at);

const HALF_DAY = 12 * HOUR;

/** The start of a calendar day in a time zone, found by bisection because clocks change. */
export function startOfDay(day: string, timeZone: string): number {
  const noon = Date.parse(`${day}T12:00:00Z`);
  // No zone differs from UTC by more than 14 hours, so the start is between these two.
  let before = noon - 3 * HALF_DAY;
  let after = noon + 2 * HALF_DAY;
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (dayOf(middle, timeZone) < day) before = middle;
    else after = middle;
  }
  return after;
}

/** The hour in a time zone, 0 to 23. */
export const hourOf = (at: number, timeZone: string): number =>
  Number(hourFormatIn(timeZone).format(at));
