import type { Column, Figure, ReportRow, Unit } from '#contract/reports.ts';
import { CURRENCY } from '#contract/rules/plans.ts';
import { formatDateTime, formatMoney } from '#web/lib/format.ts';

export type Cell = ReportRow['cells'][number];

const counts = new Intl.NumberFormat('en-ZA');
const short = new Intl.NumberFormat('en-ZA', { notation: 'compact', maximumFractionDigits: 1 });
const shares = new Intl.NumberFormat('en-ZA', { style: 'percent', maximumFractionDigits: 1 });
const dates = new Intl.DateTimeFormat('en-ZA', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const yearDates = new Intl.DateTimeFormat('en-ZA', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
});
const longDates = new Intl.DateTimeFormat('en-ZA', {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
});
const months = new Intl.DateTimeFormat('en-ZA', {
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
});

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

const NOTHING = '–';

export const formatDay = (day: string): string => dates.format(Date.parse(`${day}T00:00:00Z`));
export const formatLongDay = (day: string): string =>
  longDates.format(Date.parse(`${day}T00:00:00Z`));
export const formatMonth = (month: string): string =>
  months.format(Date.parse(`${month}-01T00:00:00Z`));
export const formatHour = (hour: number): string => `${String(hour).padStart(2, '0')}:00`;
export const formatWeekday = (weekday: number): string => WEEKDAYS[weekday] ?? '';

export function formatUnit(value: number | null, unit: Unit): string {
  if (value === null) return NOTHING;
  if (unit === 'cents') return formatMoney(value, CURRENCY);
  return unit === 'share' ? shares.format(value) : counts.format(value);
}

/** As little as a tile or an axis has room for. */
export function formatShort(value: number | null, unit: Unit): string {
  if (value === null) return NOTHING;
  if (unit === 'share') return shares.format(value);
  const whole = unit === 'cents' ? value / 100 : value;
  const number = Math.abs(whole) < 10_000 ? counts.format(Math.round(whole)) : short.format(whole);
  const tight = number.replace(/\s?K$/u, 'k');
  return unit === 'cents' ? `R${tight}` : tight;
}

/** A cell as people read it; numbers that stand for something else by its name. */
export function formatCell(cell: Cell, { kind }: Column): string {
  if (cell === null) return NOTHING;
  if (typeof cell === 'string') {
    if (kind === 'day') return yearDates.format(Date.parse(`${cell}T00:00:00Z`));
    return kind === 'month' ? formatMonth(cell) : cell;
  }
  if (kind === 'moment') return formatDateTime(cell);
  if (kind === 'weekday') return formatWeekday(cell);
  if (kind === 'hour') return formatHour(cell);
  if (kind === 'percent') return `${cell}%`;
  if (kind === 'cents' || kind === 'share') return formatUnit(cell, kind);
  return counts.format(cell);
}

export type Change = { says: string; tone: 'good' | 'bad' | 'same' };

/** How a figure moved against the period before; null when there is nothing to say. */
export function describeChange({ value, previous, unit, isGoodWhen }: Figure): Change | null {
  if (value === null || previous === null) return null;
  const difference = value - previous;
  const toneOf = (): Change['tone'] => {
    if (difference === 0 || isGoodWhen === null) return 'same';
    return difference > 0 === (isGoodWhen === 'more') ? 'good' : 'bad';
  };
  if (difference === 0) return { says: 'No change', tone: 'same' };
  const sign = difference > 0 ? '+' : '−';
  const size = Math.abs(difference);
  if (unit === 'share') {
    const points = (size * 100).toLocaleString('en-ZA', { maximumFractionDigits: 1 });
    return { says: `${sign}${points} points`, tone: toneOf() };
  }
  const says =
    previous === 0
      ? `${sign}${formatShort(size, unit)}`
      : `${sign}${shares.format(size / Math.abs(previous))}`;
  return { says, tone: toneOf() };
}
