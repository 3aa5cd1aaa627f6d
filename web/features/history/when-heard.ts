import { dayOf } from '#contract/rules/days.ts';
import { DAY } from '#contract/rules/time.ts';

const LOCALE = 'en-GB';

/** What was heard is looked for by how long ago it was: days first, then months. */
export function headHeard(heardAt: number, now: number, timeZone: string): string {
  const day = dayOf(heardAt, timeZone);
  if (day === dayOf(now, timeZone)) return 'Today';
  if (day === dayOf(now - DAY, timeZone)) return 'Yesterday';
  if (heardAt > now - 7 * DAY) return 'Last seven days';
  return new Intl.DateTimeFormat(LOCALE, { timeZone, month: 'long', year: 'numeric' }).format(
    heardAt,
  );
}

/** `14:05` of the last two days, `Fri 6 Nov` before that. */
export function nameHeard(heardAt: number, now: number, timeZone: string): string {
  const day = dayOf(heardAt, timeZone);
  const isRecent = day === dayOf(now, timeZone) || day === dayOf(now - DAY, timeZone);
  const format = new Intl.DateTimeFormat(
    LOCALE,
    isRecent
      ? { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }
      : { timeZone, weekday: 'short', day: 'numeric', month: 'short' },
  );
  return format.format(heardAt).replace(',', '');
}
