/**
 * A document's place in the index is a number that is smaller the newer its week is, so that the
 * newest matches are the first an index reads and nothing has to be sorted.
 */
const PER_WEEK = 2 ** 20;
const WEEKS_PER_YEAR = 64;

export const BEFORE_ALL = Number.MIN_SAFE_INTEGER;

type Week = { year: number; week: number };

export const lastPlaceOf = ({ year, week }: Week): number =>
  -(year * WEEKS_PER_YEAR + week) * PER_WEEK;

export const firstPlaceOf = (week: Week): number => lastPlaceOf(week) - PER_WEEK + 1;

export function weekAt(place: number): Week {
  const weeks = Math.floor(-place / PER_WEEK);
  return { year: Math.floor(weeks / WEEKS_PER_YEAR), week: weeks % WEEKS_PER_YEAR };
}
