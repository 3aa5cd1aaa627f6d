import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { describeProgress, printProgress } from './print-progress.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A catalogue of 40 mixes; one more is ready at each check. */
function simulateMusic(ready: number) {
  const lines: string[] = [];
  let checks = 0;
  const print = () =>
    printProgress({
      loadProgress: async () => ({ ready: Math.min(40, ready + checks++), total: 40 }),
      print: (line) => void lines.push(line),
    });
  return { lines, print, checks: () => checks };
}

describe('printProgress', () => {
  it('prints a line for the first mix, for every 10% and for the last, then stops', async () => {
    const { lines, print, checks } = simulateMusic(0);
    await print();
    await vi.advanceTimersByTimeAsync(5_000 * 60);
    expect(lines).toHaveLength(12);
    expect(lines.slice(0, 3)).toEqual([
      'Demo music: generating 40 mixes, this week’s first.',
      'Demo music: 1 of 40 mixes ready.',
      'Demo music: 4 of 40 mixes ready.',
    ]);
    expect(lines.at(-1)).toBe('Demo music: all 40 mixes ready.');
    expect(checks()).toBe(41);
  });

  it('prints nothing if all mixes are ready or there are none', async () => {
    const { lines, print } = simulateMusic(40);
    await print();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(lines).toEqual([]);
    const stop = await printProgress({
      loadProgress: async () => ({ ready: 0, total: 0 }),
      print: (line) => void lines.push(line),
    });
    stop();
    expect(lines).toEqual([]);
  });

  it('stops when asked to', async () => {
    const { lines, print } = simulateMusic(0);
    const stop = await print();
    stop();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(lines).toHaveLength(1);
  });

  it('never prints the same progress twice', () => {
    expect(describeProgress(4, { ready: 4, total: 40 })).toBeNull();
    expect(describeProgress(4, { ready: 7, total: 40 })).toBeNull();
  });
});
