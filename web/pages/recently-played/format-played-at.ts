import { dayOf } from '#contract/rules/days.ts';
import { DAY } from '#contract/rules/time.ts';
import { boot } from '#web/lib/store/boot.ts';
import { formatLongMonth, formatTime, formatWeekday } from '#web/lib/format/format.ts';

const isSameDay = (a: number, b: number): boolean =>
  dayOf(a, boot.timeZone) === dayOf(b, boot.timeZone);

/** Groups the history by how long ago a track was played: days first, then months. */
export function formatPlayedHeading(listenedAt: number, now: number): string {
  if (isSameDay(listenedAt, now)) return 'Today';
  if (isSameDay(listenedAt, now - DAY)) return 'Yesterday';
  if (listenedAt > now - 7 * DAY) return 'Last seven days';
  return formatLongMonth(listenedAt);
}

/** The time for the last two days, `Fri 6 Nov` before that. */
export function formatPlayedAt(listenedAt: number, now: number): string {
  const isRecent = isSameDay(listenedAt, now) || isSameDay(listenedAt, now - DAY);
  return isRecent ? formatTime(listenedAt) : formatWeekday(listenedAt);
}
