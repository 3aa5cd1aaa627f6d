import { DAY } from './time.ts';
const pad = (value: number, length = 2) => String(value).padStart(length, '0');

/** The time on the clocks of a zone, as if it were UTC. */
function readClock(at: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
    hourCycle: 'h23',
  }).formatToParts(at);
  const value = (type: Intl.DateTimeFormatPartTypes) =>
    Number(parts.find((part) => part.type === type)?.value);
  return Date.UTC(
    value('year'),
    value('month') - 1,
    value('day'),
    value('hour'),
    value('minute'),
    value('second'),
  );
}

/** `2026-11-20T06:00`: what a field for date and time holds. */
export function formatZoned(at: number, timeZone: string): string {
  const clock = new Date(readClock(at, timeZone));
  const day = `${pad(clock.getUTCFullYear(), 4)}-${pad(clock.getUTCMonth() + 1)}-${pad(clock.getUTCDate())}`;
  return `${day}T${pad(clock.getUTCHours())}:${pad(clock.getUTCMinutes())}`;
}

const FIELD = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/;

/**
 * The moment when the clocks of a zone show this. A time that is skipped when clocks go forward is
 * taken as that much later; of one that comes twice, the first counts.
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
