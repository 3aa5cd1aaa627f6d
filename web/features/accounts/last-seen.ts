import { DAY, HOUR } from '#contract/rules/time.ts';

const count = (n: number, unit: string): string => `${n} ${unit}${n === 1 ? '' : 's'} ago`;

/** The server notes a visit at most once an hour, so nothing finer is claimed. */
export function describeLastSeen(lastSeenAt: number, now: number): string {
  const ago = Math.max(0, now - lastSeenAt);
  if (ago < 2 * HOUR) return 'Used within the last hours';
  if (ago < DAY) return `Used ${count(Math.floor(ago / HOUR), 'hour')}`;
  return `Used ${count(Math.floor(ago / DAY), 'day')}`;
}
