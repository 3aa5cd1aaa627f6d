import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isRangeCurrent, matchesEtag, parseRange } from './send-file.ts';

describe('a range of a file of 1000 bytes', () => {
  it.each([
    ['bytes=0-499', 0, 499],
    ['bytes=500-', 500, 999],
    ['bytes=-300', 700, 999],
    ['bytes=-5000', 0, 999],
    ['bytes=999-2000', 999, 999],
    ['bytes=0-0', 0, 0],
  ])('%s is bytes %i to %i', (header, start, end) => {
    expect(parseRange(header, 1000)).toEqual({ status: 206, range: { start, end } });
  });

  it.each(['bytes=1000-', 'bytes=1000-1001', 'bytes=-0', 'bytes=99999999999999999999-'])(
    '%s cannot be satisfied',
    (header) => {
      expect(parseRange(header, 1000)).toEqual({ status: 416 });
    },
  );

  it.each([
    undefined,
    '',
    'bytes=',
    'bytes=-',
    'bytes=5-1',
    'bytes=a-b',
    'items=0-1',
    'bytes=0-1,5-6',
  ])('%s gets the whole file', (header) => {
    expect(parseRange(header, 1000)).toEqual({ status: 200 });
  });

  it('never exceeds the file, whatever the header says', () => {
    fc.assert(
      fc.property(fc.string(), fc.nat(), fc.nat(), fc.nat({ max: 5000 }), (text, a, b, size) => {
        for (const header of [text, `bytes=${a}-${b}`, `bytes=${a}-`, `bytes=-${b}`]) {
          const answer = parseRange(header, size);
          if (answer.status !== 206) continue;
          expect(answer.range.start).toBeGreaterThanOrEqual(0);
          expect(answer.range.start).toBeLessThanOrEqual(answer.range.end);
          expect(answer.range.end).toBeLessThan(size);
        }
      }),
    );
  });
});

describe('conditional headers', () => {
  it('serve a range only of the same file', () => {
    expect(isRangeCurrent(undefined, '"a"')).toBe(true);
    expect(isRangeCurrent('"a"', '"a"')).toBe(true);
    expect(isRangeCurrent('"b"', '"a"')).toBe(false);
    expect(isRangeCurrent('W/"a"', '"a"')).toBe(false);
  });
  it('recognize the file the client already has', () => {
    expect(matchesEtag('"x", W/"a"', '"a"')).toBe(true);
    expect(matchesEtag('*', '"a"')).toBe(true);
    expect(matchesEtag('"b"', '"a"')).toBe(false);
    expect(matchesEtag(undefined, '"a"')).toBe(false);
  });
});
