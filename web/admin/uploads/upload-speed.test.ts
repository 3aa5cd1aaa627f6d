import { describe, expect, it } from 'vitest';
import { describeTimeLeft, FIRST_PART_BYTES, nextPartSize, measureSpeed } from './upload-speed.ts';

describe('the speed of an upload', () => {
  it('is measured over the last seconds, not the whole upload', () => {
    const samples = [
      { at: 0, sent: 0 },
      { at: 50_000, sent: 1_000_000 },
      { at: 55_000, sent: 2_000_000 },
    ];
    expect(measureSpeed(samples)).toBe(200_000);
  });

  it('is unknown at the start', () => {
    expect(measureSpeed([])).toBeNull();
    expect(measureSpeed([{ at: 0, sent: 0 }])).toBeNull();
    expect(
      measureSpeed([
        { at: 0, sent: 0 },
        { at: 100, sent: 5 },
      ]),
    ).toBeNull();
  });

  it.each([
    [1_000_000, 100_000, 'less than a minute left'],
    [24_000_000, 100_000, '4 min left'],
    [1_080_000_000, 100_000, '3 h left'],
    [1, null, null],
    [1, 0, null],
  ])('%i bytes at %s a second: %s', (bytes, speed, text) => {
    expect(describeTimeLeft(bytes, speed)).toBe(text);
  });
});

const MB = 1024 * 1024;

it('the part size follows the speed of the connection', () => {
  const fast = [1, 2, 3, 4, 5, 6].reduce(
    (parts) => [...parts, nextPartSize(parts.at(-1) ?? 0, null)],
    [FIRST_PART_BYTES],
  );
  expect(fast.map((size) => size / MB)).toEqual([0.25, 1, 4, 16, 64, 256, 256]);
  expect(nextPartSize(256 * MB, 2 * MB)).toBe(16 * MB);
  expect(nextPartSize(16 * MB, 10_000)).toBe(MB);
});
