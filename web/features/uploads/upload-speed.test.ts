import { describe, expect, it } from 'vitest';
import { describeTimeLeft, readSpeed } from './upload-speed.ts';

describe('the speed of an upload', () => {
  it('is that of the last seconds, not of the whole', () => {
    const samples = [
      { at: 0, sent: 0 },
      { at: 50_000, sent: 1_000_000 },
      { at: 55_000, sent: 2_000_000 },
    ];
    expect(readSpeed(samples)).toBe(200_000);
  });

  it('is not known before there is something to say', () => {
    expect(readSpeed([])).toBeNull();
    expect(readSpeed([{ at: 0, sent: 0 }])).toBeNull();
    expect(
      readSpeed([
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
  ])('%i bytes at %s a second: %s', (bytes, speed, words) => {
    expect(describeTimeLeft(bytes, speed)).toBe(words);
  });
});
