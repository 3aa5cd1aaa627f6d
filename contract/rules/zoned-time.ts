import { clockOf } from './days.ts';
import { DAY } from './time.ts';

/** The local time in a zone, as if it were UTC. */
const readClock = (at: number, timeZone: string): number => Date.parse(`${clockOf(at, timeZone)}Z`);

/** `2026-11-20T06:00`, the value of a date and time field. */
export const formatZoned = (at: number, timeZone: string): string =>
  clockOf(at, timeZone).slice(0, 16);

const FIELD = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/;

/**
 * The time at which the clocks of a zone show this. If it is skipped when clocks go forward, it is
 * that much later; if it comes twice, the first one counts.
 */
export function parseZoned(text: string, timeZone: string): number | null {
  const wanted = FIELD.test(text) ? Date.parse(`${text}:00Z`) : Number.NaN;
  if (Number.isNaN(wanted)) return null;
  const offsetAt = (at: number) => readClock(at, timeZone) - at;
  // No zone changes its clocks twice within two days.
  const before = wanted - offsetAt(wanted - DAY);
  const after = wanted - offsetAt(wanted + DAY);
  if (readClock(before, timeZone) === wanted) return before;
  return readClock(after, timeZone) === wanted ? after : before;
}
