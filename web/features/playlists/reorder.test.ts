import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { moveAfter } from '#contract/rules/playlists.ts';
import {
  findIdBefore,
  indexAtOffset,
  indexAfterKey,
  rowOffset,
  type Drag,
  shuffle,
} from './reorder.ts';

const ROW = 64;
const ids = ['a', 'b', 'c', 'd', 'e'];
const drag = (from: number, to = from): Drag => ({
  id: ids[from] ?? '',
  from,
  to,
  by: 'keyboard',
  rowHeight: ROW,
});

describe('a dragged row', () => {
  it('takes the index it mostly covers, within the list', () => {
    expect(indexAtOffset(drag(1), 0, 5)).toBe(1);
    expect(indexAtOffset(drag(1), 31, 5)).toBe(1);
    expect(indexAtOffset(drag(1), 33, 5)).toBe(2);
    expect(indexAtOffset(drag(1), -40, 5)).toBe(0);
    expect(indexAtOffset(drag(1), 9999, 5)).toBe(4);
    expect(indexAtOffset(drag(1), -9999, 5)).toBe(0);
  });

  it('moves by one, by ten or to an end with the keyboard', () => {
    const by = (key: string) => indexAfterKey(drag(2), key, 40);
    expect(['ArrowUp', 'ArrowDown', 'PageUp', 'PageDown', 'Home', 'End', 'x'].map(by)).toEqual([
      1,
      3,
      0,
      12,
      0,
      39,
      null,
    ]);
    expect(indexAfterKey(drag(0), 'ArrowUp', 5)).toBe(0);
    expect(indexAfterKey(drag(4), 'ArrowDown', 5)).toBe(4);
  });

  it('is displayed where it will be after the drop', () => {
    const index = fc.nat(ids.length - 1);
    fc.assert(
      fc.property(index, index, (from, to) => {
        const moved = drag(from, to);
        const shown = ids.toSorted((a, b) => {
          const at = (id: string) => ids.indexOf(id) * ROW + rowOffset(ids.indexOf(id), moved);
          return at(a) - at(b);
        });
        const move = { id: moved.id, after: findIdBefore(ids, moved) };
        expect(shown).toEqual(moveAfter(ids, (id) => id, move));
      }),
    );
  });
});

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
