import type { Column, Figure, ReportRow, Unit } from '#contract/admin/reports.ts';
import { WEEKDAYS } from '#contract/admin/release-time.ts';
import { CURRENCY } from '#contract/rules/plans.ts';
import {
  formatCompactNumber,
  formatDateTime,
  formatMoney,
  formatMonth,
  formatNumber,
  formatPercent,
  formatShortDate,
} from '#web/lib/format/format.ts';

export type Cell = ReportRow['cells'][number];

const NO_VALUE = '–';

export const formatHour = (hour: number): string => `${String(hour).padStart(2, '0')}:00`;
export const formatWeekday = (weekday: number): string => WEEKDAYS[weekday] ?? '';

export function formatUnit(value: number | null, unit: Unit): string {
  if (value === null) return NO_VALUE;
  if (unit === 'cents') return formatMoney(value, CURRENCY);
  return unit === 'share' ? formatPercent(value) : formatNumber(value);
}

/** Fits a tile or an axis: `38.4k`, `R148k`. */
export function formatShort(value: number | null, unit: Unit): string {
  if (value === null) return NO_VALUE;
  if (unit === 'share') return formatPercent(value);
  if (unit === 'count') return formatCompactNumber(value);
  return `${value < 0 ? '−' : ''}R${formatCompactNumber(Math.abs(value) / 100)}`;
}

/** Weekdays and hours are stored as numbers and shown by name. */
export function formatCell(cell: Cell, { kind }: Column): string {
  if (cell === null) return NO_VALUE;
  if (typeof cell === 'string') {
    if (kind === 'day') return formatShortDate(cell);
    return kind === 'month' ? formatMonth(`${cell}-01`) : cell;
  }
  if (kind === 'time') return formatDateTime(cell);
  if (kind === 'weekday') return formatWeekday(cell);
  if (kind === 'hour') return formatHour(cell);
  if (kind === 'percent') return `${cell}%`;
  if (kind === 'cents' || kind === 'share') return formatUnit(cell, kind);
  return formatNumber(cell);
}

export type Change = { text: string; tone: 'good' | 'bad' | 'same' };

/** How a figure changed since the previous period; null without a value to compare. */
export function describeChange({ value, previous, unit, isGoodWhen }: Figure): Change | null {
  if (value === null || previous === null) return null;
  const difference = value - previous;
  const toneOf = (): Change['tone'] => {
    if (difference === 0 || isGoodWhen === null) return 'same';
    return difference > 0 === (isGoodWhen === 'more') ? 'good' : 'bad';
  };
  if (difference === 0) return { text: 'No change', tone: 'same' };
  const sign = difference > 0 ? '+' : '−';
  const size = Math.abs(difference);
  if (unit === 'share') {
    const points = formatNumber(size * 100, 1);
    return { text: `${sign}${points} ${points === '1' ? 'pt' : 'pts'}`, tone: toneOf() };
  }
  const change =
    previous === 0 ? formatShort(size, unit) : formatPercent(size / Math.abs(previous));
  return { text: `${sign}${change}`, tone: toneOf() };
}
