import { useEffect, useState } from 'react';
import { DAY, HOUR, MINUTE, WEEK } from '#contract/rules/time.ts';
import { formatDateTime } from '#web/lib/format/format.ts';
import { useOpenedAt } from '#web/lib/format/now.ts';

const relative = new Intl.RelativeTimeFormat('en-GB', { numeric: 'auto' });
const STEPS = [
  ['minute', MINUTE, 60],
  ['hour', HOUR, 24],
  ['day', DAY, 14],
  ['week', WEEK, 9],
  ['month', 30 * DAY, 12],
] as const;

/** `3 minutes ago`, `in 2 hours`, `yesterday`. */
export function formatTimeAgo(at: number, now: number): string {
  const difference = at - now;
  if (Math.abs(difference) < MINUTE) return difference > 0 ? 'in a moment' : 'just now';
  for (const [unit, size, limit] of STEPS) {
    const amount = Math.trunc(difference / size);
    if (Math.abs(amount) < limit) return relative.format(amount, unit);
  }
  return relative.format(Math.trunc(difference / (365 * DAY)) || Math.sign(difference), 'year');
}

/** `3 minutes ago, 16 Nov 2026, 09:40`, kept current while it is on screen. */
export function TimeAgo({ at }: { at: number }) {
  const [now, setNow] = useState(useOpenedAt());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), MINUTE / 2);
    return () => clearInterval(timer);
  }, []);
  return (
    <time dateTime={new Date(at).toISOString()}>
      {formatTimeAgo(at, now)}, {formatDateTime(at)}
    </time>
  );
}
