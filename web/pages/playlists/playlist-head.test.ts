import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shuffle } from './playlist-head.tsx';

describe('a shuffle', () => {
  it('keeps every track once and does not change the list', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string()), (items) => {
        const before = [...items];
        expect(shuffle(items).toSorted()).toEqual(before.toSorted());
        expect(items).toEqual(before);
      }),
    );
  });

  it('gives every order the same chance', () => {
    const seen = new Map<string, number>();
    for (const first of [0, 0.34, 0.67])
      for (const second of [0, 0.5]) {
        const draws = [first, second];
        const order = shuffle(['a', 'b', 'c'], () => draws.shift() ?? 0).join('');
        seen.set(order, (seen.get(order) ?? 0) + 1);
      }
    expect([...seen.keys()].toSorted()).toEqual(['abc', 'acb', 'bac', 'bca', 'cab', 'cba']);
  });
});
