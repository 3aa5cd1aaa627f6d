import { formatZoned } from '../rules/zoned-time.ts';
import { DAY } from '../rules/time.ts';
import { formatWeekDays, weekDays, weekOf, type WeekOfYear } from '../rules/weeks.ts';

/** In the order of an ISO week. */
export const WEEKDAYS = [
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
  'Sunday',
] as const;

/** Friday, until the settings name another day. */
export const DEFAULT_RELEASE_DAY = 4;

/** When the site releases: the day of the week, 0 for Monday, and the hour, in its time zone. */
export type ReleaseRhythm = { releaseDay: number; releaseHour: number; timeZone: string };

const toField = (day: number, hour: number): string =>
  `${new Date(day).toISOString().slice(0, 10)}T${String(hour).padStart(2, '0')}:00`;

/** The release day and hour of a week, as the value of a date and time field. */
export const releaseTimeOf = (week: WeekOfYear, { releaseDay, releaseHour }: ReleaseRhythm) =>
  toField(weekDays(week).monday + releaseDay * DAY, releaseHour);

/** The release time of the week; once that has passed, the site's next release hour. */
export function suggestRelease(week: WeekOfYear, rhythm: ReleaseRhythm, now: number): string {
  const ofWeek = releaseTimeOf(week, rhythm);
  const clock = formatZoned(now, rhythm.timeZone);
  if (ofWeek > clock) return ofWeek;
  const today = Date.parse(`${clock.slice(0, 10)}T00:00:00Z`);
  const ofToday = toField(today, rhythm.releaseHour);
  return ofToday > clock ? ofToday : toField(today + DAY, rhythm.releaseHour);
}

/** `Week 47 is 16–22 November, and this is in week 48.` Null inside the week. */
export function findWeekWarning(of: WeekOfYear, at: number, timeZone: string): string | null {
  const { year, week } = weekOf(at, timeZone);
  if (year === of.year && week === of.week) return null;
  const name = year === of.year ? `week ${week}` : `week ${week} of ${year}`;
  return `Week ${of.week} is ${formatWeekDays(of)}, and this is in ${name}.`;
}
