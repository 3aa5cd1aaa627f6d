import { DAY, HOUR, MINUTE, SECOND } from '../rules/time.ts';

/** `3 hours ahead of`, `45 seconds behind`; whose clock that is comes next. */
export function describeClockOffset(ms: number): string {
  const size = Math.abs(ms);
  const [value, unit] =
    size >= 2 * DAY
      ? [size / DAY, 'days']
      : size >= 2 * HOUR
        ? [size / HOUR, 'hours']
        : size >= 2 * MINUTE
          ? [size / MINUTE, 'minutes']
          : [size / SECOND, 'seconds'];
  return `${Math.round(value)} ${unit} ${ms > 0 ? 'ahead of' : 'behind'}`;
}
