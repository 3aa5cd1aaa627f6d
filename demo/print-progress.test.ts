import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { describeProgress, printProgress } from './print-progress.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A catalogue of forty mixes of which one more is ready at each look. */
function makeMusic(ready: number) {
  const lines: string[] = [];
  let looks = 0;
  const tell = () =>
    printProgress({
      read: async () => ({ ready: Math.min(40, ready + looks++), total: 40 }),
      write: (line) => void lines.push(line),
    });
  return { lines, tell, looks: () => looks };
}

describe('the progress of the demo music on the console', () => {
  it('is a line for the first mix, for each tenth and for the last, and then nothing', async () => {
    const { lines, tell, looks } = makeMusic(0);
    await tell();
    await vi.advanceTimersByTimeAsync(5_000 * 60);
    expect(lines).toHaveLength(12);
    expect(lines.slice(0, 3)).toEqual([
      "Demo music: making 40 mixes, this week's first.",
      'Demo music: 1 of 40 mixes ready.',
      'Demo music: 4 of 40 mixes ready.',
    ]);
    expect(lines.at(-1)).toBe('Demo music: all 40 mixes ready.');
    expect(looks()).toBe(41);
  });

  it('is nothing where all of it is there, or none is made', async () => {
    const { lines, tell } = makeMusic(40);
    await tell();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(lines).toEqual([]);
    const none = await printProgress({
      read: async () => ({ ready: 0, total: 0 }),
      write: (line) => void lines.push(line),
    });
    none();
    expect(lines).toEqual([]);
  });

  it('ends when it is told to', async () => {
    const { lines, tell } = makeMusic(0);
    const end = await tell();
    end();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(lines).toHaveLength(1);
  });

  it('is never told twice', () => {
    expect(describeProgress(4, { ready: 4, total: 40 })).toBeNull();
    expect(describeProgress(4, { ready: 7, total: 40 })).toBeNull();
  });
});
