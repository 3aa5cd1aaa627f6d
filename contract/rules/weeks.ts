import { dayOf, MONTHS } from './days.ts';
import { DAY } from './time.ts';

export type WeekOfYear = { year: number; week: number };

/** The week of a calendar day. ISO 8601: weeks start on Monday, and week 1 contains the first Thursday. */
export function weekOfDay(calendarDay: string): WeekOfYear {
  // As midnight UTC, so that weeks are plain arithmetic.
  const day = Date.parse(`${calendarDay}T00:00:00Z`);
  const weekday = (new Date(day).getUTCDay() + 6) % 7;
  const thursday = new Date(day + (3 - weekday) * DAY);
  const year = thursday.getUTCFullYear();
  const week = 1 + Math.floor((thursday.getTime() - Date.UTC(year, 0, 1)) / (7 * DAY));
  return { year, week };
}

export const weekOf = (at: number, timeZone: string): WeekOfYear => weekOfDay(dayOf(at, timeZone));

/** 52 or 53. */
export const weeksInYear = (year: number): number =>
  weekOfDay(`${String(year).padStart(4, '0')}-12-28`).week;

/** Monday and Sunday of a week, as midnight UTC of those calendar days. */
export function weekDays({ year, week }: WeekOfYear): { monday: number; sunday: number } {
  const fourth = Date.UTC(year, 0, 4);
  const weekday = (new Date(fourth).getUTCDay() + 6) % 7;
  const monday = fourth + ((week - 1) * 7 - weekday) * DAY;
  return { monday, sunday: monday + 6 * DAY };
}

/** `9–15 November`, `28 December – 3 January`. */
export function formatWeekDays(of: WeekOfYear): string {
  const { monday, sunday } = weekDays(of);
  const month = (day: number) => MONTHS[new Date(day).getUTCMonth()];
  const date = (day: number) => new Date(day).getUTCDate();
  const start =
    month(monday) === month(sunday) ? `${date(monday)}–` : `${date(monday)} ${month(monday)} – `;
  return `${start}${date(sunday)} ${month(sunday)}`;
}

/** `2026-W46`: also sorts by time. */
export const formatWeekKey = ({ year, week }: WeekOfYear): string =>
  `${year}-W${String(week).padStart(2, '0')}`;

export const WEEK_KEY = /^(\d{4})-W(\d{2})$/;

/** Null where the year has no such week. */
export function parseWeekKey(text: string): WeekOfYear | null {
  const [, year, week] = WEEK_KEY.exec(text)?.map(Number) ?? [];
  if (!year || !week || week > weeksInYear(year)) return null;
  return { year, week };
}
