import fc from 'fast-check';
import { expect, it } from 'vitest';
import { newId } from './ids.ts';

const TIMES = fc.integer({ min: 0, max: 2 ** 48 - 1 });

it('is 26 lowercase characters without look-alikes', () => {
  fc.assert(
    fc.property(TIMES, (time) => {
      expect(newId(time)).toMatch(/^[0-9a-hjkmnp-tv-z]{26}$/);
    }),
  );
});

it('sorts by time', () => {
  fc.assert(
    fc.property(TIMES, TIMES, (a, b) => {
      fc.pre(a < b);
      expect(newId(a) < newId(b)).toBe(true);
    }),
  );
});

it('does not repeat within one millisecond', () => {
  expect(new Set(Array.from({ length: 10_000 }, () => newId(1))).size).toBe(10_000);
});
