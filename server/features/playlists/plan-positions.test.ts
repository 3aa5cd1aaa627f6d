import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { moveAfter } from '#contract/rules/playlists.ts';
import { GAP, planAdd, planMove, type TrackPosition } from './plan-positions.ts';

const LETTERS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];

/** As the database keeps it: one row a track, read by position. */
function apply(
  placed: readonly TrackPosition[],
  changes: readonly TrackPosition[],
): TrackPosition[] {
  const rows = new Map(placed.map((place) => [place.track_id, place]));
  for (const change of changes) rows.set(change.track_id, change);
  return [...rows.values()].toSorted((a, b) => a.position - b.position);
}

const idsOf = (placed: readonly TrackPosition[]) => placed.map((place) => place.track_id);
const itself = (id: string) => id;

/** Any list, also one whose neighbours leave no room between them. */
const anyPlaced = fc
  .tuple(
    fc.uniqueArray(fc.constantFrom(...LETTERS)),
    fc.uniqueArray(fc.integer({ min: -9, max: 9 }), { minLength: 8, maxLength: 8 }),
  )
  .map(([ids, positions]) => {
    const sorted = positions.toSorted((a, b) => a - b);
    return ids.map((track_id, i): TrackPosition => ({ track_id, position: sorted[i] ?? 0 }));
  });
const anyId = fc.constantFrom(...LETTERS);
const anyAfter = fc.option(anyId, { nil: null });

describe('a position in a playlist', () => {
  it('is the same after a move as in a plain list', () => {
    fc.assert(
      fc.property(anyPlaced, anyId, anyAfter, (placed, id, after) => {
        const changes = planMove(placed, id, after);
        const isKnown = (one: string) => idsOf(placed).includes(one);
        if (changes === null) expect(isKnown(id) && (after === null || isKnown(after))).toBe(false);
        const expected = moveAfter(idsOf(placed), itself, { id, after });
        const moved = apply(placed, changes ?? []);
        expect(idsOf(moved)).toEqual(expected);
        expect(new Set(moved.map((place) => place.position)).size).toBe(moved.length);
      }),
    );
  });

  it('of an added track is after the given one, or else at the end', () => {
    const afterOrNone = fc.option(anyAfter, { nil: undefined });
    const someNew = fc.uniqueArray(fc.constantFrom('x', 'y', 'z'), { minLength: 1 });
    fc.assert(
      fc.property(anyPlaced, someNew, afterOrNone, (placed, added, after) => {
        const ids = idsOf(placed);
        const index = after === null ? 0 : ids.indexOf(after ?? '') + 1 || ids.length;
        const result = apply(placed, planAdd(placed, added, after));
        expect(idsOf(result)).toEqual(ids.toSpliced(index, 0, ...added));
        expect(new Set(result.map((place) => place.position)).size).toBe(result.length);
      }),
    );
  });

  it('is found however often a track is inserted between the same two', () => {
    let placed = apply([], planAdd([], ['a', 'b', 'c', 'd']));
    for (let i = 0; i < 100; i++) {
      const id = i % 2 ? 'c' : 'd';
      const changes = planMove(placed, id, 'a') ?? [];
      placed = apply(placed, changes);
      expect(idsOf(placed).slice(0, 2)).toEqual(['a', id]);
    }
    expect(placed.every((place) => Number.isSafeInteger(place.position))).toBe(true);
  });

  it('needs one row for a move and none without one', () => {
    const placed = apply([], planAdd([], LETTERS));
    expect(planMove(placed, 'h', 'a')).toEqual([{ track_id: 'h', position: 1.5 * GAP }]);
    expect(planMove(placed, 'b', 'a')).toEqual([]);
    expect(planMove(placed, 'a', null)).toEqual([]);
    expect(planMove(placed, 'b', 'b')).toEqual([]);
  });
});

type Op =
  | { kind: 'move'; client: number; id: string; after: string | null }
  | { kind: 'add'; client: number; id: string; after: string | null }
  | { kind: 'remove'; client: number; id: string }
  | { kind: 'look'; client: number };

const client = fc.nat(2);
const anyOp: fc.Arbitrary<Op> = fc.oneof(
  fc.record({ kind: fc.constant('move' as const), client, id: anyId, after: anyAfter }),
  fc.record({ kind: fc.constant('add' as const), client, id: anyId, after: anyAfter }),
  fc.record({ kind: fc.constant('remove' as const), client, id: anyId }),
  fc.record({ kind: fc.constant('look' as const), client }),
);

describe('a playlist with simultaneous changes', () => {
  it('loses and repeats no track, and accepts only moves in its current order', () => {
    fc.assert(
      fc.property(fc.array(anyOp, { maxLength: 60 }), (ops) => {
        let version = 0;
        let placed: TrackPosition[] = [];
        const inside = new Set<string>();
        const views = [0, 1, 2].map(() => ({ version: 0, ids: [] as readonly string[] }));
        const accept = (next: TrackPosition[]) => {
          placed = next;
          version += 1;
        };
        for (const op of ops) {
          const view = views[op.client];
          if (!view) throw new Error('There are three clients.');
          if (op.kind === 'look') Object.assign(view, { version, ids: idsOf(placed) });
          if (op.kind === 'add' && !inside.has(op.id)) {
            accept(apply(placed, planAdd(placed, [op.id], op.after)));
            inside.add(op.id);
          }
          if (op.kind === 'remove' && inside.delete(op.id))
            accept(placed.filter((place) => place.track_id !== op.id));
          if (op.kind === 'move' && view.version === version) {
            const changes = planMove(placed, op.id, op.after);
            // What the client saw is what there is, so the result is what it expects.
            if (view.ids.length === placed.length && changes?.length) {
              const expected = moveAfter(view.ids, itself, op);
              accept(apply(placed, changes));
              expect(idsOf(placed)).toEqual(expected);
            }
          }
          expect(idsOf(placed).toSorted()).toEqual([...inside].toSorted());
        }
      }),
    );
  });
});
