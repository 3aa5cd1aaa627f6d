import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  describeData,
  describePlay,
  describeShortPlay,
  estimateBytes,
  findDataCost,
  findPlayedBytes,
  formatDataCost,
  formatMegabytes,
} from './data-use.ts';

const HOURS = 2 * 3600;
const PRICE = 85_00;

const full = {
  duration: HOURS,
  access: 'full' as const,
  fileUrl: '/media/tracks/a/stream',
  dataSaverUrl: '/media/tracks/a/dataSaver',
};

describe('what a mix uses', () => {
  it.each([
    [full, false, 'About 173 MB, R14.70'],
    [full, true, 'About 58 MB, R4.90'],
    [{ ...full, dataSaverUrl: null }, true, 'About 173 MB, R14.70'],
    [{ ...full, access: 'preview' as const }, false, 'About 0.5 MB of data, 5 cents'],
    [{ ...full, access: 'preview' as const, duration: 5 }, true, 'About 0.1 MB of data, 2 cents'],
  ])('is %o with data saver %s: %s', (track, isDataSaver, text) => {
    expect(describePlay(track, { isDataSaver, dataPrice: PRICE })).toBe(text);
  });

  it('has no price if the site knows none', () => {
    const unknown = { isDataSaver: false, dataPrice: null };
    expect(describePlay(full, unknown)).toBe('About 173 MB');
    expect(describePlay({ ...full, access: 'preview' }, unknown)).toBe('About 0.5 MB of data');
    expect(describeShortPlay(320_000, PRICE)).toMatch(/^About 0\.3 MB of data, \d cents$/);
  });

  it('is what the files have, where that is known, and the bit rate where it isn’t', () => {
    const sizes = { stream: 90_000_000 };
    expect(findPlayedBytes({ ...full, sizes }, false)).toBe(90_000_000);
    expect(findPlayedBytes({ ...full, sizes }, true)).toBe(estimateBytes('dataSaver', HOURS));
  });

  it('is nothing for a length that is none', () => {
    for (const seconds of [NaN, Infinity, -1, 0]) expect(estimateBytes('stream', seconds)).toBe(0);
  });
});

it.each([
  [0, '0 MB'],
  [1, '0.1 MB'],
  [480_000, '0.5 MB'],
  [1_000_000, '1 MB'],
  [9_949_999, '9.9 MB'],
  [9_950_000, '10 MB'],
  [172_800_000, '173 MB'],
  [999_499_999, '999 MB'],
  [999_500_000, '1 GB'],
  [1_240_000_000, '1.2 GB'],
])('writes %i bytes as %s', (bytes, text) => {
  expect(formatMegabytes(bytes)).toBe(text);
});

it.each([
  [1, '1 cent'],
  [99, '99 cents'],
  [100, 'R1'],
  [110, 'R1.10'],
  [1470, 'R14.70'],
])('writes %i cents as %s', (cents, text) => {
  expect(formatDataCost(cents)).toBe(text);
});

describe('what data costs', () => {
  const bytes = fc.integer({ min: 0, max: 20_000_000_000 });
  const price = fc.integer({ min: 100, max: 200_000 });

  it('is never less than the real amount, and at most a cent or ten more', () => {
    fc.assert(
      fc.property(bytes, price, (size, cents) => {
        const real = (size * cents) / 1e9;
        const said = findDataCost(size, cents);
        expect(said).toBeGreaterThanOrEqual(real - 1e-6);
        expect(said - real).toBeLessThan(real > 100 ? 10 : 1);
        expect(Number.isSafeInteger(said)).toBe(true);
      }),
    );
  });

  it('grows with the size and with the price', () => {
    fc.assert(
      fc.property(bytes, bytes, price, price, (one, other, low, high) => {
        const [less, more] = [Math.min(one, other), Math.max(one, other)];
        expect(findDataCost(less, low)).toBeLessThanOrEqual(findDataCost(more, low));
        const [cheap, dear] = [Math.min(low, high), Math.max(low, high)];
        expect(findDataCost(one, cheap)).toBeLessThanOrEqual(findDataCost(one, dear));
      }),
    );
  });

  it('always has words', () => {
    fc.assert(
      fc.property(bytes, fc.option(price), (size, cents) => {
        expect(describeData(size, cents)).toMatch(
          /^[\d.]+ [MG]B(, (\d+ cents?|R[\d,]+(\.\d\d)?))?$/,
        );
      }),
    );
  });
});
