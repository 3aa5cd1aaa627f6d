import { buildDateFormat, LOCALE } from './days.ts';
import { CURRENCY } from './plans.ts';

/**
 * How the site writes numbers and dates for people: `R6,057`, `5.5%`, `6 November`, `19 Sep`.
 * Pages use `web/lib/format/format.ts`, which knows the site's time zone.
 */

const numberFormats = new Map<number, Intl.NumberFormat>();

/** Counts and prices are on nearly every page, and the first Intl format of a page takes long. */
const groupThousands = (digits: string): string => digits.replace(/\B(?=(\d{3})+$)/g, ',');

/** `1,628`, or `1,628.25` with up to two decimals. */
export function formatNumber(value: number, maxDecimals = 0): string {
  if (Number.isSafeInteger(value)) return groupThousands(String(value));
  let format = numberFormats.get(maxDecimals);
  if (!format) {
    format = new Intl.NumberFormat(LOCALE, { maximumFractionDigits: maxDecimals });
    numberFormats.set(maxDecimals, format);
  }
  return format.format(value);
}

/** `5.5%` for 0.055. */
export const formatPercent = (share: number): string => `${formatNumber(share * 100, 1)}%`;

/** `R79`, `R6,057`, `R79.50`; with `auto` `R79.00`, for documents with amounts below each other. */
export function formatMoney(
  cents: number,
  currency: string,
  trailingZeroDisplay: 'stripIfInteger' | 'auto' = 'stripIfInteger',
): string {
  if (currency === CURRENCY && Number.isSafeInteger(cents)) {
    const [rand = '', rest] = (Math.abs(cents) / 100).toFixed(2).split('.');
    const decimals = rest === '00' && trailingZeroDisplay === 'stripIfInteger' ? '' : `.${rest}`;
    return `${cents < 0 ? '-' : ''}R${groupThousands(rand)}${decimals}`;
  }
  // A provider may send anything; Intl throws unless it looks like a currency code.
  if (!/^[A-Z]{3}$/i.test(currency)) return `${currency} ${(cents / 100).toFixed(2)}`;
  return new Intl.NumberFormat(LOCALE, {
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
    trailingZeroDisplay,
  })
    .formatToParts(cents / 100)
    .filter(({ type }) => type !== 'literal')
    .map(({ value }) => value)
    .join('');
}

/** `6 November` */
export const formatDay = buildDateFormat({ day: 'numeric', month: 'long' });
/** `6 November 2026` */
export const formatDate = buildDateFormat({ day: 'numeric', month: 'long', year: 'numeric' });
/** `Fri 6 Nov, 07:00` */
export const formatDayAndTime = buildDateFormat({
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
});

/** `45 min`, `9 h 20 min`: how long many mixes are together. */
export function formatHours(seconds: number): string {
  const minutes = Math.max(1, Math.round(seconds / 60));
  const hours = Math.floor(minutes / 60);
  const rest = `${minutes % 60} min`;
  return hours === 0 ? rest : `${hours} h ${rest}`;
}

const UNITS = ['KB', 'MB', 'GB'] as const;

/** `640 KB`, `84 MB`, `1.2 GB`: decimal units. */
export function formatFileSize(bytes: number): string {
  let value = Math.max(0, bytes) / 1000;
  let unit = 0;
  // A value that would round to 1000 becomes 1 of the next unit.
  while (value >= 999.5 && unit < UNITS.length - 1) {
    value /= 1000;
    unit += 1;
  }
  const digits = unit > 0 && value < 9.95 ? 1 : 0;
  return `${value.toFixed(digits).replace(/\.0$/, '')} ${UNITS[unit]}`;
}
