import { expect, it } from 'vitest';
import { DAY, HOUR, MINUTE, SECOND, WEEK } from '#contract/rules/time.ts';
import { formatTimeAgo } from './time-ago.tsx';

it.each([
  [-5 * SECOND, 'just now'],
  [5 * SECOND, 'in a moment'],
  [-MINUTE, '1 minute ago'],
  [-59 * MINUTE - 59 * SECOND, '59 minutes ago'],
  [-HOUR, '1 hour ago'],
  [3 * HOUR, 'in 3 hours'],
  [-DAY, 'yesterday'],
  [-13 * DAY, '13 days ago'],
  [-2 * WEEK, '2 weeks ago'],
  [-90 * DAY, '3 months ago'],
  [-362 * DAY, 'last year'],
  [-800 * DAY, '2 years ago'],
])('says how long ago or ahead %i ms are: %s', (difference, text) => {
  const now = Date.UTC(2026, 10, 16);
  expect(formatTimeAgo(now + difference, now)).toBe(text);
});
