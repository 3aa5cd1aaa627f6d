import { expect, it } from 'vitest';
import { createWarmBlocks } from './warm-blocks.ts';

const KB = 1024;

it('knows what was read, and only that', () => {
  const warm = createWarmBlocks();
  expect(warm.isWarm('a', 0, KB)).toBe(false);
  warm.remember('a', 0, 300 * KB);
  expect(warm.isWarm('a', 0, 300 * KB)).toBe(true);
  expect(warm.isWarm('a', 100 * KB, 50 * KB)).toBe(true);
  expect(warm.isWarm('a', 300 * KB, 200 * KB)).toBe(false);
  expect(warm.isWarm('b', 0, KB)).toBe(false);
});

it('forgets the file that was read longest ago', () => {
  const warm = createWarmBlocks(2);
  for (const path of ['a', 'b', 'a', 'c']) warm.remember(path, 0, KB);
  expect(['a', 'b', 'c'].filter((path) => warm.isWarm(path, 0, KB))).toEqual(['a', 'c']);
});

it('trusts nothing it knows once memory was as slow as a disk', () => {
  const warm = createWarmBlocks();
  warm.remember('a', 0, KB);
  warm.judge(0.3);
  expect(warm.isWarm('a', 0, KB)).toBe(true);
  warm.judge(50);
  expect(warm.isWarm('a', 0, KB)).toBe(false);
});
