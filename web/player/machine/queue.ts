import type { Track } from '#contract/tracks.ts';

/** The queue and the index of the current track in it; -1 if there is none. */
export type QueuePosition = {
  readonly queue: readonly Track[];
  readonly currentTrackIndex: number;
};

/** The queue, and what is known about how its tracks got there. */
export type Queue = QueuePosition & {
  /**
   * The list that playback started from: `Library`, the name of a playlist; empty if unknown, and
   * null if the listener queued every track.
   */
  readonly source: string | null;
  /** The tracks that the listener added to those of the list. */
  readonly queuedIds: readonly string[];
};

export const emptyQueue: Queue = { queue: [], currentTrackIndex: -1, source: null, queuedIds: [] };

export const isIndexOf = (queue: readonly Track[], index: unknown): index is number =>
  Number.isInteger(index) && (index as number) >= 0 && (index as number) < queue.length;

const indexOfTrack = (queue: readonly Track[], { id }: Track): number =>
  queue.findIndex((queued) => queued.id === id);

/** The listener chose this track, rather than the list it is in. */
const isQueued = ({ source, queuedIds }: Queue, { id }: Track): boolean =>
  source === null || queuedIds.includes(id);

/** The index after the last track that the listener queued to come after the current one. */
export function findUpNextEnd(state: Queue): number {
  const last = state.queue.findLastIndex((track) => isQueued(state, track));
  return Math.max(last, state.currentTrackIndex) + 1;
}

/** Everything the listener queued that hasn't been played yet. */
export const listUpNext = (state: Queue): Track[] =>
  state.queue
    .slice(state.currentTrackIndex + 1, findUpNextEnd(state))
    .filter((track) => isQueued(state, track));

/** What the listener chose: the current track, and every track they queued. */
export const listChosen = (state: Queue): Track[] =>
  state.queue.filter((track, index) => index === state.currentTrackIndex || isQueued(state, track));

const addId = (ids: readonly string[], id: string): readonly string[] =>
  ids.includes(id) ? ids : [...ids, id];

const removeId = (ids: readonly string[], id: string): readonly string[] =>
  ids.includes(id) ? ids.filter((other) => other !== id) : ids;

/** The index of the track if it is in the queue; otherwise it is added at the end. */
export function queueTrack({ queue }: QueuePosition, track: Track): QueuePosition {
  const found = indexOfTrack(queue, track);
  return found === -1
    ? { queue: [...queue, track], currentTrackIndex: queue.length }
    : { queue: queue.with(found, track), currentTrackIndex: found };
}

/** Moves or adds the track to the place that `findPlace` gives; the current track itself stays. */
function placeTrack(state: Queue, track: Track, findPlace: (state: Queue) => number): Queue {
  const { queue, currentTrackIndex: current, queuedIds } = state;
  if (queue[current]?.id === track.id) return state;
  const isCopy = ({ id }: Track) => id === track.id;
  const others = {
    ...state,
    queue: queue.filter((queued) => !isCopy(queued)),
    currentTrackIndex:
      current - queue.filter((queued, at) => at < current && isCopy(queued)).length,
    queuedIds: removeId(queuedIds, track.id),
  };
  return {
    ...others,
    queue: others.queue.toSpliced(findPlace(others), 0, track),
    queuedIds: addId(queuedIds, track.id),
  };
}

/** After everything else the listener queued. */
export const appendTrack = (state: Queue, track: Track): Queue =>
  placeTrack(state, track, findUpNextEnd);

/** Right after the current track. */
export const insertNext = (state: Queue, track: Track): Queue =>
  placeTrack(state, track, ({ currentTrackIndex }) => currentTrackIndex + 1);

export const replaceQueue = (tracks: readonly Track[]): Queue => ({
  ...emptyQueue,
  queue: [...tracks],
  currentTrackIndex: tracks.length > 0 ? 0 : -1,
});

/** The current track can't be removed; removing an earlier one moves the index down. */
export function removeAt(state: Queue, index: number): Queue {
  const { queue, currentTrackIndex, queuedIds } = state;
  const track = queue[index];
  if (!isIndexOf(queue, index) || !track || index === currentTrackIndex) return state;
  return {
    ...state,
    queue: queue.toSpliced(index, 1),
    currentTrackIndex: index < currentTrackIndex ? currentTrackIndex - 1 : currentTrackIndex,
    queuedIds: removeId(queuedIds, track.id),
  };
}

export type QueueMove = {
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

/** Null if the index is outside the queue. */
export const moveTo = (queue: readonly Track[], index: number): QueuePosition | null =>
  isIndexOf(queue, index) ? { queue, currentTrackIndex: index } : null;

/** Tracks that don't have this access (null: all of them), each once and the current one first. */
export function findOutdated(
  { queue, currentTrack }: { queue: readonly Track[]; currentTrack: Track | null },
  access: Track['access'] | null,
): Track[] {
  const tracks = currentTrack ? [currentTrack, ...queue] : queue;
  const byId = new Map(tracks.map((track) => [track.id, track]));
  return [...byId.values()].filter((track) => track.access !== access);
}

/** Replaces every older copy of the track. */
export const refreshQueue = (queue: readonly Track[], fresh: Track): readonly Track[] =>
  queue.some((track) => track.id === fresh.id)
    ? queue.map((track) => (track.id === fresh.id ? fresh : track))
    : queue;
