import { formatZoned } from '#contract/rules/zoned-time.ts';
import { DAY } from '#contract/rules/time.ts';

/** The next time the site's clocks show its release hour, as a field for date and time holds it. */
export function suggestRelease(now: number, releaseHour: number, timeZone: string): string {
  const hour = `T${String(releaseHour).padStart(2, '0')}:00`;
  const today = formatZoned(now, timeZone);
  const candidate = today.slice(0, 10) + hour;
  return candidate > today ? candidate : formatZoned(now + DAY, timeZone).slice(0, 10) + hour;
}
