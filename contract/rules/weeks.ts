import { buildDateFormat, dayOf } from './days.ts';
import { DAY } from './time.ts';

export type WeekOfYear = { year: number; week: number };

/** The calendar day in a time zone, as midnight UTC, so that weeks are plain arithmetic. */
function calendarDay(at: number, timeZone: string): number {
  const parts = dayOf(at, timeZone);
  return Date.parse(`${parts}T00:00:00Z`);
}

/** ISO 8601: weeks start on Monday, and week 1 contains the year's first Thursday. */
export function weekOf(at: number, timeZone: string): WeekOfYear {
  const day = calendarDay(at, timeZone);
  const weekday = (new Date(day).getUTCDay() + 6) % 7;
  const thursday = new Date(day + (3 - weekday) * DAY);
  const year = thursday.getUTCFullYear();
  const week = 1 + Math.floor((thursday.getTime() - Date.UTC(year, 0, 1)) / (7 * DAY));
  return { year, week };
}

/** 52 or 53. */
export const weeksInYear = (year: number): number => weekOf(Date.UTC(year, 11, 28), 'UTC').week;

/** Monday and Sunday of a week, as midnight UTC of those calendar days. */
export function weekDays({ year, week }: WeekOfYear): { monday: number; sunday: number } {
  const fourth = Date.UTC(year, 0, 4);
  const weekday = (new Date(fourth).getUTCDay() + 6) % 7;
  const monday = fourth + ((week - 1) * 7 - weekday) * DAY;
  return { monday, sunday: monday + 6 * DAY };
}

const formatMonthName = buildDateFormat({ month: 'long' });

/** `9–15 November`, `28 December – 3 January`. */
export function formatWeekDays(of: WeekOfYear): string {
  const { monday, sunday } = weekDays(of);
  const month = (day: number) => formatMonthName(day, 'UTC');
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
