import { DAY } from './time.ts';

/** Calendar days, the last included: `2026-11-01` to `2026-11-15`. */
export type DayRange = { from: string; to: string };

/** About three years: what a page can show and a report can read at once. */
export const MOST_DAYS = 1096;
export const EARLIEST_DAY = '2000-01-01';

const toTime = (day: string): number => Date.parse(`${day}T00:00:00Z`);
const toDay = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** A day of the calendar: not the 30th of February, and nothing but a day. */
export const isDay = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(toTime(text)) && toDay(toTime(text)) === text;

export const addDays = (day: string, days: number): string => toDay(toTime(day) + days * DAY);

export const countDays = ({ from, to }: DayRange): number =>
  Math.round((toTime(to) - toTime(from)) / DAY) + 1;

/** Every day of the range, in order. */
export const listDays = (range: DayRange): string[] =>
  Array.from({ length: countDays(range) }, (_, index) => addDays(range.from, index));

/** As many days, ending the day before. */
export const periodBefore = (range: DayRange): DayRange => ({
  from: addDays(range.from, -countDays(range)),
  to: addDays(range.from, -1),
});

/** 0 for Monday to 6 for Sunday. */
export const weekdayOf = (day: string): number => (new Date(toTime(day)).getUTCDay() + 6) % 7;

export const mondayOf = (day: string): string => addDays(day, -weekdayOf(day));

export const monthOf = (day: string): string => day.slice(0, 7);

/** The same day some months later, or the last of that month where it has none. */
export function addMonths(day: string, months: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  const lastDate = new Date(Date.UTC(year, month + months, 0)).getUTCDate();
  return toDay(Date.UTC(year, month - 1 + months, Math.min(date, lastDate)));
}

/** The sentence that says what is wrong with a range, or null when it can be read. */
export function findRangeProblem({ from, to }: DayRange, today: string): string | null {
  if (!isDay(from) || !isDay(to)) return 'Give both days as year, month and day: 2026-11-15.';
  if (from > to) return 'The first day comes after the last one.';
  if (to > today) return `The last day is after today, ${today}.`;
  if (from < EARLIEST_DAY) return `The first day is before ${EARLIEST_DAY}.`;
  if (countDays({ from, to }) > MOST_DAYS) return 'Choose at most three years.';
  return null;
}
