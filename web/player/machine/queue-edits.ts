import type { Track } from '#contract/tracks.ts';
import {
  addId,
  appendTrack,
  findUpNextEnd,
  indexOfTrack,
  isIndexOf,
  isQueued,
  removeId,
  type Queue,
} from './queue.ts';

// Edits that only the panel of the queue makes. They load with it, and the player applies them.

/** Everything the listener queued that hasn't been played yet. */
export const listUpNext = (state: Queue): Track[] =>
  state.queue
    .slice(state.currentTrackIndex + 1, findUpNextEnd(state))
    .filter((track) => isQueued(state, track));

/** What the listener chose: the current track, and every track they queued. */
export const listChosen = (state: Queue): Track[] =>
  state.queue.filter((track, index) => index === state.currentTrackIndex || isQueued(state, track));

type QueueMove = {
  readonly from: number;
  readonly to: number;
  /** Whether it is dropped among what the listener queued, or in the rest of the list. */
  readonly isQueued: boolean;
};

/** Only tracks after the current one have an order that still matters. */
export function moveInQueue(state: Queue, { from, to, isQueued: isChosen }: QueueMove): Queue {
  const { queue, currentTrackIndex, queuedIds } = state;
  const track = queue[from];
  const isWaiting = (index: number) => isIndexOf(queue, index) && index > currentTrackIndex;
  if (!track || !isWaiting(from) || !isWaiting(to)) return state;
  return {
    ...state,
    queue: from === to ? queue : queue.toSpliced(from, 1).toSpliced(to, 0, track),
    queuedIds: isChosen ? addId(queuedIds, track.id) : removeId(queuedIds, track.id),
  };
}

/** Tracks that were removed from the queue, and the queue they were removed from. */
export type Removal = { readonly before: Queue; readonly indexes: readonly number[] };

/**
 * Undoes a removal: the tracks return to their neighbours, and the current track stays current. If
 * another list has started since, only what the listener queued returns.
 */
export function restoreRemoved(
  state: Queue,
  { before, indexes }: Removal,
  currentTrack: Track,
): Queue {
  if (before.source === state.source)
    return indexes.reduce<Queue>(
      (restored, index) => reinsert(restored, before, index, currentTrack),
      state,
    );
  const removed = indexes.flatMap((index) => before.queue[index] ?? []);
  return listUpNext(before)
    .filter((track) => removed.includes(track))
    .reduce(appendTrack, state);
}

function reinsert(state: Queue, before: Queue, index: number, currentTrack: Track): Queue {
  const { queue, currentTrackIndex: current, queuedIds } = state;
  const track = before.queue[index];
  if (!track) return state;
  const isCurrent =
    current === -1 && index === before.currentTrackIndex && track.id === currentTrack.id;
  const found = indexOfTrack(queue, track);
  if (found !== -1) return isCurrent ? { ...state, currentTrackIndex: found } : state;
  const place = findFormerPlace(state, before, index, track);
  const shifted = place <= current ? current + 1 : current;
  return {
    ...state,
    queue: queue.toSpliced(place, 0, track),
    currentTrackIndex: isCurrent ? place : shifted,
    queuedIds: before.queuedIds.includes(track.id) ? addId(queuedIds, track.id) : queuedIds,
  };
}

/** An upcoming track stays upcoming, unless playback has passed its neighbours. */
function findFormerPlace(state: Queue, before: Queue, index: number, track: Track): number {
  const { queue, currentTrackIndex: current } = state;
  const isPresent = (neighbour: Track) => indexOfTrack(queue, neighbour) !== -1;
  const previous = before.queue.slice(0, index).findLast(isPresent);
  const next = before.queue.slice(index + 1).find(isPresent);
  const afterPrevious = previous ? indexOfTrack(queue, previous) + 1 : 0;
  if (index <= before.currentTrackIndex)
    return current === -1 ? afterPrevious : Math.min(afterPrevious, current);
  if (next) return indexOfTrack(queue, next);
  return Math.max(afterPrevious, isQueued(before, track) ? current + 1 : findUpNextEnd(state));
}
