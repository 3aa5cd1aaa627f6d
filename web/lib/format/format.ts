import { buildDateFormat, type FormatDate, type Timestamp } from '#contract/rules/days.ts';
import {
  formatDate as formatDateIn,
  formatDay as formatDayIn,
  formatDayAndTime as formatDayAndTimeIn,
  formatNumber,
} from '#contract/rules/format.ts';
import { boot } from '#web/lib/store/boot.ts';

export { formatMoney, formatNumber, formatPercent } from '#contract/rules/format.ts';

/** `38.4k`, `1.2m`: where there is little room. */
export function formatCompactNumber(value: number): string {
  if (Math.abs(value) < 10_000) return formatNumber(value);
  const [unit, name] = Math.abs(value) < 999_950 ? [1000, 'k'] : [1_000_000, 'm'];
  return `${formatNumber(value / unit, 1)}${name}`;
}

/** `1 mix`, `1,628 mixes` */
export const formatCount = (count: number, one: string, many = `${one}s`): string =>
  `${formatNumber(count)} ${count === 1 ? one : many}`;

/**
 * All dates and times are in the site's language and time zone, wherever the reader is: the server
 * and every browser write the same, so that no text changes when a page comes alive.
 */
const inSiteZone =
  (format: FormatDate) =>
  (at: Timestamp): string =>
    format(at, boot.timeZone);

/** `6 November` */
export const formatDay = inSiteZone(formatDayIn);
/** `6 Nov` */
export const formatShortDay = inSiteZone(buildDateFormat({ day: 'numeric', month: 'short' }));
/** `6 November 2026` */
export const formatDate = inSiteZone(formatDateIn);
/** `6 Nov 2026` */
export const formatShortDate = inSiteZone(
  buildDateFormat({ day: 'numeric', month: 'short', year: 'numeric' }),
);
/** `Friday 6 November 2026` */
export const formatLongDate = inSiteZone(
  buildDateFormat({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' }),
);
/** `Friday` */
export const formatWeekdayName = inSiteZone(buildDateFormat({ weekday: 'long' }));
/** `Fri 6 Nov` */
export const formatWeekday = inSiteZone(
  buildDateFormat({ weekday: 'short', day: 'numeric', month: 'short' }),
);
/** `07:00` */
export const formatTime = inSiteZone(buildDateFormat({ hour: '2-digit', minute: '2-digit' }));
/** `November 2026` */
export const formatLongMonth = inSiteZone(buildDateFormat({ month: 'long', year: 'numeric' }));
/** `Nov 2026` */
export const formatMonth = inSiteZone(buildDateFormat({ month: 'short', year: 'numeric' }));
/** `6 Nov 2026, 07:00` */
export const formatDateTime = inSiteZone(
  buildDateFormat({
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  }),
);
/** `Fri 6 Nov, 07:00` */
export const formatDayAndTime = inSiteZone(formatDayAndTimeIn);
