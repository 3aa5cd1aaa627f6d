/** @module-tag both-databases */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { countAttemptsWithin, backoffDelay } from './backoff.ts';

const attempts = fc.integer({ min: 1, max: 2000 });
const randoms = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

it('doubles from ten seconds to an hour', () => {
  const delays = [1, 2, 3, 9, 10, 100].map((attempt) => backoffDelay(attempt, 0) / 1000);
  expect(delays).toEqual([10, 20, 40, 2560, 3600, 3600]);
});

it('randomly subtracts at most half', () => {
  fc.assert(
    fc.property(attempts, randoms, (attempt, random) => {
      const delay = backoffDelay(attempt, random);
      const longest = backoffDelay(attempt, 0);
      expect(delay).toBeGreaterThanOrEqual(longest / 2);
      expect(delay).toBeLessThanOrEqual(longest);
      expect(Number.isInteger(delay)).toBe(true);
    }),
  );
  expect(backoffDelay(1, 0.5)).toBe(7500);
});

it('never shortens from one attempt to the next', () => {
  fc.assert(
    fc.property(attempts, randoms, (attempt, random) => {
      expect(backoffDelay(attempt + 1, random)).toBeGreaterThanOrEqual(
        backoffDelay(attempt, random),
      );
    }),
  );
});

it('computes how many attempts span a period with the shortest delays', () => {
  expect(countAttemptsWithin(0)).toBe(1);
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 10 ** 9 }), (ms) => {
      const pauses = Array.from({ length: countAttemptsWithin(ms) - 1 }, (_, n) =>
        backoffDelay(n + 1, 1),
      );
      const sum = (delays: number[]) => delays.reduce((total, delay) => total + delay, 0);
      expect(sum(pauses)).toBeGreaterThanOrEqual(ms);
      expect(sum(pauses.slice(0, -1))).toBeLessThan(ms);
    }),
  );
});
