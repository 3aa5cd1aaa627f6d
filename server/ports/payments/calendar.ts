import { clockOf } from '#contract/rules/days.ts';
import { DAY } from '#contract/rules/time.ts';
import type { Calendar } from './payments.ts';

/** A shortened month has this many days. */
const DAYS_OF_MONTH = 30;

/** How far the clocks of a time zone are ahead of UTC. */
const offsetAt = (at: number, timeZone: string): number =>
  Date.parse(`${clockOf(at, timeZone)}Z`) - Math.floor(at / 1000) * 1000;

/** The same day of a later month where people live, or its last day: the 31st becomes the 28th. */
function addMonths(from: number, months: number, timeZone: string): number {
  const offset = offsetAt(from, timeZone);
  const date = new Date(from + offset);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + months);
  const daysOfMonth = new Date(
    Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0),
  ).getUTCDate();
  date.setUTCDate(Math.min(day, daysOfMonth));
  return date.getTime() - offsetAt(date.getTime() - offset, timeZone);
}

/** Months of the site's time zone, or of the given length, so that time passes quickly. */
export const createCalendar = (
  timeZone: () => string = () => 'UTC',
  monthMs: number | null = null,
): Calendar =>
  monthMs === null
    ? {
        addMonths: (from, months) => addMonths(from, months, timeZone()),
        addDays: (from, days) => from + days * DAY,
        countsTestPayments: true,
      }
    : {
        addMonths: (from, months) => from + months * monthMs,
        addDays: (from, days) => from + Math.round((days * monthMs) / DAYS_OF_MONTH),
        countsTestPayments: true,
      };

/** For providers that take real money. */
export const createRealCalendar = (timeZone?: () => string): Calendar => ({
  ...createCalendar(timeZone),
  countsTestPayments: false,
});
