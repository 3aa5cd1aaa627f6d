import { DAY } from '#contract/rules/time.ts';

type Span = { count: number; unit: 'days' | 'months' };

/** A month later is the same day of the next month, or the last day of a shorter one. */
export function extendFrom(from: number, { count, unit }: Span): number {
  if (unit === 'days') return from + count * DAY;
  const start = new Date(from);
  const end = new Date(from);
  end.setUTCMonth(start.getUTCMonth() + count);
  if (end.getUTCDate() !== start.getUTCDate()) end.setUTCDate(0);
  return end.getTime();
}
