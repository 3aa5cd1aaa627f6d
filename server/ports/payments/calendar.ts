import type { Plan } from '#contract/rules/plans.ts';
import type { Calendar } from './payments.ts';
import { DAY } from '#contract/rules/time.ts';

const MONTHS: Record<Plan, number> = { monthly: 1, annual: 12 };
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
        addPeriod: (from, plan) => addMonths(from, MONTHS[plan]),
        addMonths,
        addDays: (from, days) => from + days * DAY,
        countsTestPayments: true,
      }
    : {
        addPeriod: (from, plan) => from + MONTHS[plan] * monthMs,
        addMonths: (from, months) => from + months * monthMs,
        addDays: (from, days) => from + Math.round((days * monthMs) / DAYS_OF_MONTH),
        countsTestPayments: true,
      };

/** For providers that take real money. */
export const realCalendar: Calendar = { ...createCalendar(), countsTestPayments: false };
