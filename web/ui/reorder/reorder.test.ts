import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { moveAfter } from '#contract/rules/playlists.ts';
import { findIdBefore, indexAtOffset, indexAfterKey, rowOffset, type Drag } from './reorder.ts';

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

  it('passes a heading without a gap or an overlap, whatever the heading’s height', () => {
    const index = fc.nat(ids.length - 1);
    fc.assert(
      fc.property(index, index, index, fc.integer({ min: 1, max: 200 }), (from, to, at, height) => {
        fc.pre(from !== at);
        const moved = { ...drag(from, to), heading: { index: at, height } };
        const heightOf = (row: number) => (row === at ? height : ROW);
        const topOf = (row: number) =>
          ids.slice(0, row).reduce((sum, _, before) => sum + heightOf(before), 0);
        const shown = ids
          .map((_, row) => ({ row, top: topOf(row) + rowOffset(row, moved) }))
          .toSorted((one, other) => one.top - other.top);
        let bottom = 0;
        for (const { row, top } of shown) {
          expect(top).toBe(bottom);
          bottom += heightOf(row);
        }
        // Dragging it exactly that far finds the same index again.
        expect(indexAtOffset(moved, rowOffset(from, moved), ids.length)).toBe(to);
      }),
    );
  });
});
