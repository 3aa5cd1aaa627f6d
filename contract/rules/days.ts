import { HOUR } from './time.ts';

/** The locale of all numbers and dates for people. */
export const LOCALE = 'en-GB';

/** For the first page: a date format takes longer to create than the rest of it to start. */
export const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const;

/** A time in milliseconds, or a calendar day such as `2026-11-15`, which has no time zone. */
export type Timestamp = number | string;
export type FormatDate = (at: Timestamp, timeZone: string) => string;

/** `Fri 6 Nov` and `19 Sep`, where some browsers write `Fri, 6 Nov` and `19 Sept`. */
function tidy({ type, value }: Intl.DateTimeFormatPart, before?: Intl.DateTimeFormatPart): string {
  if (type === 'month') return value === 'Sept' ? 'Sep' : value;
  return type === 'literal' && before?.type === 'weekday' ? ' ' : value;
}

/** Creating an Intl format takes longer than using it a thousand times, so this caches one per zone. */
export function cacheDateFormats(locale: string, options: Intl.DateTimeFormatOptions) {
  const formats = new Map<string, Intl.DateTimeFormat>();
  return (timeZone: string): Intl.DateTimeFormat => {
    let format = formats.get(timeZone);
    if (!format) {
      format = new Intl.DateTimeFormat(locale, { timeZone, ...options });
      formats.set(timeZone, format);
    }
    return format;
  };
}

export function buildDateFormat(options: Intl.DateTimeFormatOptions): FormatDate {
  const formatIn = cacheDateFormats(LOCALE, { ...options, hourCycle: 'h23' });
  return (at, timeZone) => {
    const parts =
      typeof at === 'string'
        ? formatIn('UTC').formatToParts(Date.parse(`${at}T00:00:00Z`))
        : formatIn(timeZone).formatToParts(at);
    return parts.map((part, index) => tidy(part, parts[index - 1])).join('');
  };
}

const DAY_FIELDS = { year: 'numeric', month: '2-digit', day: '2-digit' } as const;
const dayFormatIn = cacheDateFormats(LOCALE, DAY_FIELDS);
const clockFormatIn = cacheDateFormats(LOCALE, {
  ...DAY_FIELDS,
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
});
const hourFormatIn = cacheDateFormats('en-GB', { hour: '2-digit' });

type DateFields = Partial<Record<Intl.DateTimeFormatPartTypes, string>>;

/** Browsers don’t agree on a locale that writes `2026-11-15`, so this doesn’t rely on any. */
function readFields(format: Intl.DateTimeFormat, at: number): DateFields {
  const fields: DateFields = {};
  for (const { type, value } of format.formatToParts(at)) fields[type] = value;
  return fields;
}

/** The calendar day in a time zone: `2026-11-15`. */
export function dayOf(at: number, timeZone: string): string {
  const { year, month, day } = readFields(dayFormatIn(timeZone), at);
  return `${year}-${month}-${day}`;
}

/** What calendar and clock show in a time zone: `2026-11-20T06:00:00`. */
export function clockOf(at: number, timeZone: string): string {
  const { year, month, day, hour, minute, second } = readFields(clockFormatIn(timeZone), at);
  return `${year}-${month}-${day}T${hour}:${minute}:${second}`;
}

const HALF_DAY = 12 * HOUR;

/** The start of a calendar day in a time zone, found by bisection because clocks change. */
export function startOfDay(day: string, timeZone: string): number {
  const noon = Date.parse(`${day}T12:00:00Z`);
  // No zone differs from UTC by more than 14 hours, so the start is between these two.
  let before = noon - 3 * HALF_DAY;
  let after = noon + 2 * HALF_DAY;
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (dayOf(middle, timeZone) < day) before = middle;
    else after = middle;
  }
  return after;
}

/** The hour in a time zone, 0 to 23. */
export const hourOf = (at: number, timeZone: string): number =>
  Number(hourFormatIn(timeZone).format(at));
