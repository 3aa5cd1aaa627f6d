import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Track } from '#contract/tracks.ts';
import { buildTrack } from '#web/testing/build-track.ts';
import {
  appendTrack,
  emptyQueue,
  findUpNextEnd,
  insertNext,
  removeAt,
  type Queue,
} from './queue.ts';
import { listChosen, listUpNext, moveInQueue, restoreRemoved } from './queue-edits.ts';

const tracks = ['a', 'b', 'c', 'd', 'e', 'f'].map((id) => buildTrack(id));
const [a, b, c, d, e, f] = tracks as [Track, Track, Track, Track, Track, Track];

/** The first track of a list plays. */
const playList = (...list: Track[]): Queue => ({
  queue: list,
  currentTrackIndex: 0,
  source: 'Library',
  queuedIds: [],
});
const playAt = (state: Queue, currentTrackIndex: number): Queue => ({
  ...state,
  currentTrackIndex,
});
const idsOf = (list: readonly Track[]): string => list.map(({ id }) => id).join('');
/** `a·b|c`: the current track a, then what was queued, then the rest of the list. */
function describeQueue(state: Queue): string {
  const { queue, currentTrackIndex: current } = state;
  const end = findUpNextEnd(state);
  const played = idsOf(queue.slice(0, current + 1));
  return `${played}·${idsOf(queue.slice(current + 1, end))}|${idsOf(queue.slice(end))}`;
}

describe('up next', () => {
  it('comes before the rest of the list, in the order of adding', () => {
    const queued = appendTrack(appendTrack(playList(a, b, c), e), f);
    expect(describeQueue(queued)).toBe('a·ef|bc');
    expect(idsOf(listUpNext(queued))).toBe('ef');
  });

  it('starts with the track that “Play next” adds', () => {
    expect(describeQueue(insertNext(appendTrack(playList(a, b), e), f))).toBe('a·fe|b');
  });

  it('gets a track that is added again, wherever it was', () => {
    const queued = appendTrack(appendTrack(playAt(playList(a, b, c, d), 1), e), f);
    expect(describeQueue(queued)).toBe('ab·ef|cd');
    expect(describeQueue(appendTrack(queued, e))).toBe('ab·fe|cd');
    expect(describeQueue(appendTrack(queued, d))).toBe('ab·efd|c');
    expect(describeQueue(appendTrack(queued, a))).toBe('b·efa|cd');
    expect(describeQueue(insertNext(queued, f))).toBe('ab·fe|cd');
    expect(appendTrack(queued, b)).toBe(queued);
  });

  it('is everything if no list was started', () => {
    const queued = appendTrack(
      appendTrack({ ...emptyQueue, queue: [a], currentTrackIndex: 0 }, b),
      c,
    );
    expect(describeQueue(queued)).toBe('a·bc|');
  });

  it('returns when playback goes back, with the track it left', () => {
    const queued = appendTrack(playAt(playList(a, b, c), 1), e);
    expect(describeQueue(playAt(queued, 0))).toBe('a·be|c');
    expect(describeQueue(playAt(queued, 3))).toBe('abec·|');
    expect(describeQueue(playAt(queued, 1))).toBe('ab·e|c');
  });
});

describe('what the listener chose', () => {
  it('is the current track with everything they queued, played or not', () => {
    const queued = appendTrack(appendTrack(playList(a, b, c), e), f);
    expect(idsOf(listChosen(queued))).toBe('aef');
    expect(idsOf(listChosen(playAt(queued, 2)))).toBe('ef');
  });
});

describe('a move', () => {
  const queued = appendTrack(appendTrack(playList(a, b, c), e), f);

  it('changes the order within up next and within the rest', () => {
    expect(describeQueue(moveInQueue(queued, { from: 2, to: 1, isQueued: true }))).toBe('a·fe|bc');
    expect(describeQueue(moveInQueue(queued, { from: 4, to: 3, isQueued: false }))).toBe('a·ef|cb');
  });

  it('between the two changes where a track belongs', () => {
    expect(describeQueue(moveInQueue(queued, { from: 4, to: 2, isQueued: true }))).toBe('a·ecf|b');
    expect(describeQueue(moveInQueue(queued, { from: 3, to: 3, isQueued: true }))).toBe('a·efb|c');
    expect(describeQueue(moveInQueue(queued, { from: 1, to: 4, isQueued: false }))).toBe('a·f|bce');
  });

  it.each([
    [0, 1],
    [1, 0],
    [1, 5],
    [-1, 2],
    [1.5, 2],
  ])('from %d to %d is ignored: only upcoming tracks can be moved', (from, to) => {
    expect(moveInQueue(queued, { from, to, isQueued: true })).toBe(queued);
  });
});

describe('undoing a removal', () => {
  const queued = appendTrack(appendTrack(playAt(playList(a, b, c, d), 1), e), f);
  const cleared: Queue = { ...emptyQueue, source: 'Library' };
  const all = { before: queued, indexes: queued.queue.map((_, index) => index) };
  const remove = (index: number) => ({
    after: removeAt(queued, index),
    removal: { before: queued, indexes: [index] },
  });

  it.each([0, 2, 3, 4, 5])('brings back the row %d and nothing else changes', (index) => {
    const { after, removal } = remove(index);
    const restored = restoreRemoved(after, removal, b);
    expect(restored).toEqual({ ...queued, queuedIds: expect.arrayContaining(['e', 'f']) });
  });

  it('brings back a cleared queue around the track that still plays', () => {
    expect(restoreRemoved(cleared, all, b)).toEqual(queued);
  });

  it('keeps what was queued since', () => {
    const restored = restoreRemoved(appendTrack(cleared, buildTrack('x')), all, b);
    expect(describeQueue(restored)).toBe('ab·efx|cd');
  });

  it('keeps the track that plays by now, with the rest still to come', () => {
    const moved = playAt(appendTrack(cleared, buildTrack('x')), 0);
    expect(describeQueue(restoreRemoved(moved, all, buildTrack('x')))).toBe('abx·ef|cd');
  });

  it('puts a track that playback has passed among the earlier ones', () => {
    const { after, removal } = remove(2);
    expect(describeQueue(restoreRemoved(playAt(after, 2), removal, f))).toBe('abef·|cd');
  });

  it('works for two removals, in either order', () => {
    const first = remove(2);
    const second = { before: first.after, indexes: [2] };
    const after = removeAt(first.after, 2);
    const one = restoreRemoved(restoreRemoved(after, second, b), first.removal, b);
    const other = restoreRemoved(restoreRemoved(after, first.removal, b), second, b);
    expect([one, other].map(describeQueue)).toEqual(['ab·ef|cd', 'ab·ef|cd']);
  });

  it('brings back only what was queued if another list has started', () => {
    const other: Queue = { ...playList(d, c), source: 'Top 20' };
    expect(describeQueue(restoreRemoved(other, all, d))).toBe('d·ef|c');
    expect(restoreRemoved(other, remove(4).removal, d)).toBe(other);
    expect(describeQueue(restoreRemoved(other, remove(2).removal, d))).toBe('d·e|c');
  });

  it('changes nothing if the tracks are in the queue again', () => {
    expect(restoreRemoved(queued, all, b)).toBe(queued);
  });

  it('loses, repeats and reorders nothing, whatever happened in between', () => {
    const anyTrack = fc.constantFrom(...tracks, buildTrack('x'), buildTrack('y'));
    const index = fc.integer({ min: -1, max: 7 });
    type Change = (state: Queue) => Queue;
    const anyChange: fc.Arbitrary<Change> = fc.oneof(
      anyTrack.map(
        (track): Change =>
          (state) =>
            appendTrack(state, track),
      ),
      anyTrack.map(
        (track): Change =>
          (state) =>
            insertNext(state, track),
      ),
      index.map(
        (at): Change =>
          (state) =>
            removeAt(state, at),
      ),
      index.map(
        (at): Change =>
          (state) =>
            state.queue[at] ? playAt(state, at) : state,
      ),
      fc.record({ from: index, to: index, isQueued: fc.boolean() }).map(
        (move): Change =>
          (state) =>
            moveInQueue(state, move),
      ),
    );
    const run = (state: Queue, changes: readonly Change[]) =>
      changes.reduce((changed, change) => change(changed), state);
    const anyChanges = fc.array(anyChange, { maxLength: 8 });
    fc.assert(
      fc.property(anyChanges, fc.option(index), anyChanges, (earlier, removed, later) => {
        const before = run(playList(a, b, c, d), earlier);
        const current = before.queue[before.currentTrackIndex] ?? a;
        const indexes =
          removed === null ? before.queue.map((_, at) => at) : removed < 0 ? [] : [removed];
        const after =
          removed === null ? { ...emptyQueue, source: before.source } : removeAt(before, removed);
        const present = run(after, later);
        const playing = present.queue[present.currentTrackIndex] ?? current;
        const restored = restoreRemoved(present, { before, indexes }, playing);
        const ids = restored.queue.map(({ id }) => id);
        expect(new Set(ids).size).toBe(ids.length);
        expect(ids).toEqual(
          expect.arrayContaining(indexes.flatMap((at) => before.queue[at]?.id ?? [])),
        );
        expect(ids).toEqual(expect.arrayContaining([...restored.queuedIds]));
        expect(restored.queue.filter((track) => present.queue.includes(track))).toEqual(
          present.queue,
        );
        expect(restored.queue[restored.currentTrackIndex]?.id).toBe(
          removed === null || present.currentTrackIndex !== -1 ? playing.id : undefined,
        );
        if (later.length === 0) expect(restored.queue).toEqual(before.queue);
      }),
    );
  });
});
