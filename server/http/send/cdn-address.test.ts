import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY, HOUR, MINUTE } from '#contract/rules/time.ts';
import { cacheUntil, findAddressEnd } from './cdn-address.ts';

const NINE = Date.UTC(2026, 10, 15, 9);

describe('the end of an address for the CDN', () => {
  it.each([
    ['a preview of 20 seconds', 20_000, 9, 11],
    ['a mix of an hour', HOUR, 9, 11],
    ['a mix of two hours', 2 * HOUR, 9, 12],
    ['a mix of two hours and a minute', 2 * HOUR + MINUTE, 9, 13],
  ])('of %s', (_what, durationMs, from, to) => {
    const first = NINE + (from - 9) * HOUR;
    const end = NINE + (to - 9) * HOUR;
    for (const now of [first, first + 30 * MINUTE, first + HOUR - 1])
      expect(findAddressEnd(now, { durationMs, endsAt: null })).toBe(end);
    expect(findAddressEnd(first + HOUR, { durationMs, endsAt: null })).toBe(end + HOUR);
  });

  it('is never before a mix that starts now is over, nor two hours after', () => {
    fc.assert(
      fc.property(fc.nat(400 * DAY), fc.integer({ min: 1, max: DAY }), (after, durationMs) => {
        const now = NINE + after;
        const left = findAddressEnd(now, { durationMs, endsAt: null }) - now - durationMs;
        expect(left).toBeGreaterThan(0);
        expect(left).toBeLessThan(2 * HOUR);
      }),
    );
  });

  it('is never after the site stops giving the file', () => {
    const endsAt = NINE + 10 * MINUTE + 999;
    expect(findAddressEnd(NINE, { durationMs: HOUR, endsAt })).toBe(NINE + 10 * MINUTE);
  });
});

it('caches end with the address: shared ones by seconds, browsers by date', () => {
  expect(cacheUntil(NINE + 90_000, NINE + 30_500)).toEqual({
    'cache-control': 'public, s-maxage=59, immutable',
    expires: 'Sun, 15 Nov 2026 09:01:30 GMT',
  });
});
