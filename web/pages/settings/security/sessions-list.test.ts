import { expect, it } from 'vitest';
import { HOUR, MINUTE } from '#contract/rules/time.ts';
import { describeLastSeen } from './sessions-list.tsx';

it.each([
  [-5 * MINUTE, 'Active recently'],
  [0, 'Active recently'],
  [2 * HOUR - 1, 'Active recently'],
  [2 * HOUR, 'Active 2 hours ago'],
  [24 * HOUR - 1, 'Active 23 hours ago'],
  [24 * HOUR, 'Active 1 day ago'],
  [71 * HOUR, 'Active 2 days ago'],
])('shows %d ms ago as %s', (ago, text) => {
  const now = Date.UTC(2026, 10, 15);
  expect(describeLastSeen(now - ago, now)).toBe(text);
});
