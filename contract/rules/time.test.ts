import fc from 'fast-check';
import { expect, it } from 'vitest';
import { formatDuration } from './time.ts';

it.each([
  [0, '0:00'],
  [5, '0:05'],
  [59.999, '0:59'],
  [60, '1:00'],
  [61, '1:01'],
  [3599, '59:59'],
  [3600, '60:00'],
  [36_061, '601:01'],
  [-1, '0:00'],
  [Number.NaN, '0:00'],
  [Number.POSITIVE_INFINITY, '0:00'],
])('%d seconds are %s', (seconds, shown) => {
  expect(formatDuration(seconds)).toBe(shown);
});

it('can be read back to the second', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1_000_000 }), (seconds) => {
      const [minutes = '', rest = ''] = formatDuration(seconds).split(':');
      expect(rest).toMatch(/^[0-5]\d$/);
      expect(Number(minutes) * 60 + Number(rest)).toBe(seconds);
    }),
  );
});
