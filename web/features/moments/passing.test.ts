import { describe, expect, it } from 'vitest';
import type { Moment } from '#contract/moments.ts';
import { choosePassing, findPassing } from './passing.ts';

const mark = (at: number, isOwn = false): Moment => ({
  id: String(at),
  at,
  text: 'this blend!',
  username: 'thandi',
  own: isOwn ? { editableMs: 0, isHidden: false } : null,
});

describe('the lines that pass', () => {
  it('are at least six seconds apart', () => {
    const chosen = choosePassing([0, 1, 5, 6, 8, 30, 31].map((at) => mark(at)));
    expect(chosen.map(({ at }) => at)).toEqual([0, 6, 30]);
  });

  it('include those of the listener', () => {
    const chosen = choosePassing([mark(0), mark(3, true), mark(5), mark(7, true), mark(9)]);
    expect(chosen.map(({ at }) => at)).toEqual([3, 9]);
  });

  it('show for six seconds, one at a time', () => {
    const passing = [mark(10), mark(16)];
    const found = [9.9, 10, 15.9, 16, 21.9, 22].map((at) => findPassing(passing, at)?.at ?? null);
    expect(found).toEqual([null, 10, 10, 16, 16, null]);
  });
});
