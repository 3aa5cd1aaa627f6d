import { HOUR } from './time.ts';
/** Making one takes longer than a thousand uses of it. */
function keepFormats(locale: string, shown: Intl.DateTimeFormatOptions) {
  const formats = new Map<string, Intl.DateTimeFormat>();
  return (timeZone: string): Intl.DateTimeFormat => {
    const known = formats.get(timeZone);
    if (known) return known;
    const format = new Intl.DateTimeFormat(locale, { timeZone, ...shown });
    formats.set(timeZone, format);
    return format;
  };
}

const findDayFormat = keepFormats('en-CA', { dateStyle: 'short' });
const findHourFormat = keepFormats('en-GB', { hour: '2-digit' });

/** The calendar day in a time zone: `2026-11-15`. */
export const dayOf = (at: number, timeZone: string): string => findDayFormat(timeZone).format(at);

const HALF_DAY = 12 * HOUR;

/** The moment a calendar day begins in a time zone: found by asking, because clocks change. */
export function startOfDay(day: string, timeZone: string): number {
  const noon = Date.parse(`${day}T12:00:00Z`);
  // No zone is further than 14 hours from Greenwich, so these two are surely before and after.
  let before = noon - 3 * HALF_DAY;
  let after = noon + 2 * HALF_DAY;
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (dayOf(middle, timeZone) < day) before = middle;
    else after = middle;
  }
  return after;
}

/** 0 to 23, on the clocks of a time zone. */
export const hourOf = (at: number, timeZone: string): number =>
  Number(findHourFormat(timeZone).format(at));
