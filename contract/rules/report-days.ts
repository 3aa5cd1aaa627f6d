import { formatDate } from './format.ts';
import { DAY } from './time.ts';

/** Calendar days, both inclusive: `2026-11-01` to `2026-11-15`. */
export type DayRange = { from: string; to: string };

/** About three years: as much as a page can show. */
export const MAX_DAYS = 1096;
const EARLIEST_DAY = '2000-01-01';

const toTime = (day: string): number => Date.parse(`${day}T00:00:00Z`);
const toDay = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** Whether the text is a real calendar day; 30 February isn’t. */
export const isDay = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(toTime(text)) && toDay(toTime(text)) === text;

export const addDays = (day: string, days: number): string => toDay(toTime(day) + days * DAY);

export const countDays = ({ from, to }: DayRange): number =>
  Math.round((toTime(to) - toTime(from)) / DAY) + 1;

/** Every day of the range, in order. */
export const listDays = (range: DayRange): string[] =>
  Array.from({ length: countDays(range) }, (_, index) => addDays(range.from, index));

/** As many days, ending the day before the range. */
export const findPreviousRange = (range: DayRange): DayRange => ({
  from: addDays(range.from, -countDays(range)),
  to: addDays(range.from, -1),
});

/** 0 for Monday to 6 for Sunday. */
export const weekdayOf = (day: string): number => (new Date(toTime(day)).getUTCDay() + 6) % 7;

export const mondayOf = (day: string): string => addDays(day, -weekdayOf(day));

export const monthOf = (day: string): string => day.slice(0, 7);

/** The same day some months later, or the last day of a shorter month. */
export function addMonths(day: string, months: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  const lastDate = new Date(Date.UTC(year, month + months, 0)).getUTCDate();
  return toDay(Date.UTC(year, month - 1 + months, Math.min(date, lastDate)));
}

/** Whole months from one day to a later one. */
export function countMonths(from: string, to: string): number {
  const [fromYear = 0, fromMonth = 0] = from.split('-').map(Number);
  const [toYear = 0, toMonth = 0] = to.split('-').map(Number);
  const months = (toYear - fromYear) * 12 + toMonth - fromMonth;
  return Math.max(0, addMonths(from, months) > to ? months - 1 : months);
}

/** A sentence about what is wrong with a range, or null. */
export function findRangeProblem({ from, to }: DayRange, today: string): string | null {
  if (!isDay(from) || !isDay(to)) return 'Enter dates as YYYY-MM-DD.';
  if (from > to) return 'The start date is after the end date.';
  if (to > today) return 'The end date can’t be in the future.';
  if (from < EARLIEST_DAY) return `The start date is before ${formatDate(EARLIEST_DAY, 'UTC')}.`;
  if (countDays({ from, to }) > MAX_DAYS) return 'Choose a range of up to three years.';
  return null;
}
