import type { Column, ReportRow } from '#contract/reports.ts';
import { mondayOf, monthOf } from '#contract/rules/report-days.ts';
import { formatMonth, formatShortDay } from '#web/lib/format.ts';

export type Step = 'day' | 'week' | 'month';
export type PlotPoint = { key: string; label: string; values: (number | null)[] };

const MOST_DAYS = 62;
const MOST_WEEKS_IN_DAYS = 400;

/** Bars that are wide enough to be hit: days, weeks or months. */
export function chooseStep(days: number): Step {
  if (days <= MOST_DAYS) return 'day';
  return days <= MOST_WEEKS_IN_DAYS ? 'week' : 'month';
}

const keyOf = (day: string, step: Step): string => {
  if (step === 'day') return day;
  return step === 'week' ? mondayOf(day) : monthOf(day);
};

const labelOf = (key: string, step: Step): string => {
  if (step === 'month') return formatMonth(`${key}-01`);
  return step === 'week' ? `Week of ${formatShortDay(key)}` : formatShortDay(key);
};

function join(values: readonly (number | null)[], how: Column['aggregate']): number | null {
  const known = values.filter((value) => value !== null);
  if (known.length === 0) return null;
  if (how === 'last') return known.at(-1) ?? null;
  const sum = known.reduce((total, value) => total + value, 0);
  return how === 'mean' ? Math.round(sum / known.length) : sum;
}

/** Rows of days, put together into steps that can be seen. */
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
      join(
        group.map(({ cells }) => cells[index + 1] as number | null),
        column.aggregate,
      ),
    ),
  }));
}
