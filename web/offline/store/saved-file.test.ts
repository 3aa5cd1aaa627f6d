import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseRange, planChunks } from './saved-file.ts';

describe('a range request for a saved file', () => {
  it.each([
    [null, null],
    ['bytes=0-', { start: 0, end: 99 }],
    ['bytes=10-19', { start: 10, end: 19 }],
    ['bytes=90-500', { start: 90, end: 99 }],
    ['bytes=-10', { start: 90, end: 99 }],
    ['bytes=-500', { start: 0, end: 99 }],
    ['bytes=100-', 'unsatisfiable'],
    ['bytes=-0', 'unsatisfiable'],
    ['bytes=9-2', null],
    ['bytes=0-1,5-6', null],
    ['bytes=', null],
    ['items=0-1', null],
  ])('%j', (header, range) => {
    expect(parseRange(header, 100)).toEqual(range);
  });
});

describe('the chunks of a range', () => {
  it('contain exactly its bytes, whatever the range and the chunk size', () => {
    const whole = Uint8Array.from({ length: 200 }, (_, i) => i);
    const bound = fc.integer({ min: 0, max: whole.length - 1 });
    fc.assert(
      fc.property(bound, bound, fc.integer({ min: 1, max: 250 }), (a, b, chunkBytes) => {
        const range = { start: Math.min(a, b), end: Math.max(a, b) };
        const bytes = planChunks(range, chunkBytes).flatMap(({ index, from, to }) => {
          const chunk = whole.subarray(index * chunkBytes, (index + 1) * chunkBytes);
          return [...chunk.subarray(from, to)];
        });
        expect(bytes).toEqual([...whole.subarray(range.start, range.end + 1)]);
      }),
    );
  });
});
