import { expect, it } from 'vitest';
import { describeLastSeen } from './last-seen.ts';
import { HOUR, MINUTE } from '#contract/rules/time.ts';

it.each([
  [-5 * MINUTE, 'Used within the last hours'],
  [0, 'Used within the last hours'],
  [2 * HOUR - 1, 'Used within the last hours'],
  [2 * HOUR, 'Used 2 hours ago'],
  [24 * HOUR - 1, 'Used 23 hours ago'],
  [24 * HOUR, 'Used 1 day ago'],
  [71 * HOUR, 'Used 2 days ago'],
])('%d ms ago reads %s', (ago, words) => {
  const now = Date.UTC(2026, 10, 15);
  expect(describeLastSeen(now - ago, now)).toBe(words);
});
