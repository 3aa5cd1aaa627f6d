import fc from 'fast-check';
import { expect, it } from 'vitest';
import { findNextRelease, formatCountdown, hearsAt } from './next-release.ts';
import { DAY, HOUR, MINUTE } from './time.ts';

it.each([
  [DAY + 21 * HOUR, '1 day 21 hours'],
  [DAY + 21 * HOUR + 59 * MINUTE, '1 day 21 hours'],
  [2 * DAY, '2 days'],
  [DAY, '1 day'],
  [DAY - 1, '1 day'],
  [DAY - MINUTE, '23 hours 59 minutes'],
  [HOUR, '1 hour'],
  [HOUR + MINUTE, '1 hour 1 minute'],
  [59 * MINUTE + 1, '1 hour'],
  [MINUTE + 1, '2 minutes'],
  [MINUTE, '1 minute'],
  [1, '1 minute'],
  [0, '1 minute'],
  [-DAY, '1 minute'],
  [400 * DAY, '400 days'],
])('%d milliseconds are %s', (ms, text) => {
  expect(formatCountdown(ms)).toBe(text);
});

const UNITS: Record<string, number> = { day: DAY, hour: HOUR, minute: MINUTE };

it('a countdown is at most a minute too long, or an hour too short when it has days', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 500 * DAY }), (ms) => {
      const text = formatCountdown(ms);
      const sum = [...text.matchAll(/(\d+) (day|hour|minute)/g)].reduce(
        (total, [, count, unit]) => total + Number(count) * (UNITS[unit ?? ''] ?? 0),
        0,
      );
      expect(sum - ms).toBeLessThan(MINUTE);
      expect(ms - sum).toBeLessThan(text.includes('day') ? HOUR : MINUTE);
    }),
  );
});

it('subscribers wait for the next mix that they don’t hear yet', () => {
  const first = { year: 2026, weekNumber: 47, at: 100, earlyAt: 40 };
  const second = { year: 2026, weekNumber: 48, at: 200, earlyAt: null };
  expect(hearsAt(first, true)).toBe(40);
  expect(hearsAt(second, true)).toBe(200);
  const upcoming = [first, second];
  expect(findNextRelease(upcoming, false, 50)).toBe(first);
  expect(findNextRelease(upcoming, true, 30)).toBe(first);
  expect(findNextRelease(upcoming, true, 40)).toBe(second);
  expect(findNextRelease(upcoming, false, 200)).toBeUndefined();
});
