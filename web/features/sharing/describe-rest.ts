import { formatCount } from '#web/lib/format/format.ts';

/** `the other 59 minutes` */
export function describeRest(seconds: number): string {
  if (seconds < 1) return 'every mix in full';
  const minutes = Math.floor(seconds / 60);
  return minutes < 1
    ? `the other ${formatCount(Math.floor(seconds), 'second')}`
    : `the other ${formatCount(minutes, 'minute')}`;
}
