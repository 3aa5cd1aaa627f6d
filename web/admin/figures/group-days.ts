import type { Column, ReportRow } from '#contract/admin/reports.ts';
import { mondayOf, monthOf } from '#contract/rules/report-days.ts';
import { formatMonth, formatShortDay } from '#web/lib/format/format.ts';

export type Step = 'day' | 'week' | 'month';
export type PlotPoint = { key: string; label: string; values: (number | null)[] };

const MAX_DAYS = 62;
const MAX_DAYS_BY_WEEK = 400;

/** Keeps bars wide enough to point at. */
export function chooseStep(days: number): Step {
  if (days <= MAX_DAYS) return 'day';
  return days <= MAX_DAYS_BY_WEEK ? 'week' : 'month';
}

const keyOf = (day: string, step: Step): string => {
  if (step === 'day') return day;
  return step === 'week' ? mondayOf(day) : monthOf(day);
};

const labelOf = (key: string, step: Step): string => {
  if (step === 'month') return formatMonth(`${key}-01`);
  return step === 'week' ? `Week of ${formatShortDay(key)}` : formatShortDay(key);
};

function combine(values: readonly (number | null)[], how: Column['aggregate']): number | null {
  const known = values.filter((value) => value !== null);
  if (known.length === 0) return null;
  if (how === 'last') return known.at(-1) ?? null;
  const sum = known.reduce((total, value) => total + value, 0);
  return how === 'mean' ? Math.round(sum / known.length) : sum;
}

/** Groups rows per day into days, weeks or months. */
export function groupDays(
  rows: readonly ReportRow[],
  columns: readonly Column[],
  step: Step,
): PlotPoint[] {
  const groups = Map.groupBy(rows, ({ cells }) => keyOf(String(cells[0]), step));
  return [...groups].map(([key, group]) => ({
    key,
    label: labelOf(key, step),
    values: columns.slice(1).map((column, index) =>
      combine(
        group.map(({ cells }) => cells[index + 1] as number | null),
        column.aggregate,
      ),
    ),
  }));
}
