import { dayOf } from '#contract/rules/days.ts';
import { DAY } from '#contract/rules/time.ts';
import {
  browserSettings,
  formatLocalDay,
  formatLocalMonth,
  formatLocalTime,
} from '#web/lib/format.ts';

/** Groups the history by how long ago a track was played: days first, then months. */
export function formatPlayedHeading(
  listenedAt: number,
  now: number,
  local = browserSettings,
): string {
  const { timeZone } = local;
  const day = dayOf(listenedAt, timeZone);
  if (day === dayOf(now, timeZone)) return 'Today';
  if (day === dayOf(now - DAY, timeZone)) return 'Yesterday';
  if (listenedAt > now - 7 * DAY) return 'Last seven days';
  return formatLocalMonth(listenedAt, local);
}

/** The time for the last two days, `Fri 6 Nov` before that. */
export function formatPlayedAt(listenedAt: number, now: number, local = browserSettings): string {
  const { timeZone } = local;
  const day = dayOf(listenedAt, timeZone);
  const isRecent = day === dayOf(now, timeZone) || day === dayOf(now - DAY, timeZone);
  return isRecent ? formatLocalTime(listenedAt, local) : formatLocalDay(listenedAt, local);
}
