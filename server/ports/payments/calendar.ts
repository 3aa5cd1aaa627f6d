import type { Calendar } from './payments.ts';
import { DAY } from '#contract/rules/time.ts';

/** A shortened month has this many days. */
const DAYS_OF_MONTH = 30;

/** The same day of a later month, or its last day: the 31st becomes the 28th. */
function addMonths(from: number, months: number): number {
  const date = new Date(from);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + months);
  const daysOfMonth = new Date(
    Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0),
  ).getUTCDate();
  date.setUTCDate(Math.min(day, daysOfMonth));
  return date.getTime();
}

/** Calendar months, or months of the given length, so that time passes quickly. */
export const createCalendar = (monthMs: number | null = null): Calendar =>
  monthMs === null
    ? {
        addMonths,
        addDays: (from, days) => from + days * DAY,
        countsTestPayments: true,
      }
    : {
        addMonths: (from, months) => from + months * monthMs,
        addDays: (from, days) => from + Math.round((days * monthMs) / DAYS_OF_MONTH),
        countsTestPayments: true,
      };

/** For providers that take real money. */
export const realCalendar: Calendar = { ...createCalendar(), countsTestPayments: false };
