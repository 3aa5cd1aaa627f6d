/**
 * The rowid of a document is smaller for newer weeks, so that an index finds the newest matches
 * first and nothing has to be sorted.
 */
const PER_WEEK = 2 ** 20;
const WEEKS_PER_YEAR = 64;

export const BEFORE_ALL = Number.MIN_SAFE_INTEGER;

type Week = { year: number; week: number };

export const lastRowOrder = ({ year, week }: Week): number =>
  -(year * WEEKS_PER_YEAR + week) * PER_WEEK;

export const firstRowOrder = (week: Week): number => lastRowOrder(week) - PER_WEEK + 1;

export function toWeekOfRow(rowOrder: number): Week {
  const weeks = Math.floor(-rowOrder / PER_WEEK);
  return { year: Math.floor(weeks / WEEKS_PER_YEAR), week: weeks % WEEKS_PER_YEAR };
}
