import type { Track } from '#contract/tracks.ts';

/** A list of tracks and the place in it; -1 when none. */
export type QueuePosition = {
  readonly queue: readonly Track[];
  readonly currentTrackIndex: number;
};

export const emptyQueue: QueuePosition = { queue: [], currentTrackIndex: -1 };

const isPlaceIn = (queue: readonly Track[], index: number): boolean =>
  Number.isInteger(index) && index >= 0 && index < queue.length;

/** The track's own place if it is in the queue, else a new one at the end. */
export function queueTrack({ queue }: QueuePosition, track: Track): QueuePosition {
  const found = queue.findIndex((queued) => queued.id === track.id);
  return found === -1
    ? { queue: [...queue, track], currentTrackIndex: queue.length }
    : { queue: queue.with(found, track), currentTrackIndex: found };
}

/** A track that is already waiting is not queued twice. */
export const appendTrack = (
  { queue, currentTrackIndex }: QueuePosition,
  track: Track,
): QueuePosition => ({
  queue: queue.some((queued) => queued.id === track.id) ? queue : [...queue, track],
  currentTrackIndex,
});

/** Right after the current one, also when it was already waiting elsewhere; the current one stays. */
export function insertNext(state: QueuePosition, track: Track): QueuePosition {
  if (state.queue[state.currentTrackIndex]?.id === track.id) return state;
  const waiting = state.queue.findIndex((queued) => queued.id === track.id);
  const { queue, currentTrackIndex } = removeAt(state, waiting);
  return { queue: queue.toSpliced(currentTrackIndex + 1, 0, track), currentTrackIndex };
}

export const replaceQueue = (tracks: readonly Track[]): QueuePosition => ({
  queue: [...tracks],
  currentTrackIndex: tracks.length > 0 ? 0 : -1,
});

/** The current place cannot be removed; removing an earlier one moves the index down with its track. */
export function removeAt(
  { queue, currentTrackIndex }: QueuePosition,
  index: number,
): QueuePosition {
  if (!isPlaceIn(queue, index) || index === currentTrackIndex) return { queue, currentTrackIndex };
  return {
    queue: queue.toSpliced(index, 1),
    currentTrackIndex: index < currentTrackIndex ? currentTrackIndex - 1 : currentTrackIndex,
  };
}

/** Null when the index is outside the queue. */
export const moveTo = (queue: readonly Track[], index: number): QueuePosition | null =>
  isPlaceIn(queue, index) ? { queue, currentTrackIndex: index } : null;

/** Each track once, the current one first, that does not have this access; all without one. */
export function findOutdated(
  { queue, currentTrack }: { queue: readonly Track[]; currentTrack: Track | null },
  access: Track['access'] | null,
): Track[] {
  const held = currentTrack ? [currentTrack, ...queue] : queue;
  const byId = new Map(held.map((track) => [track.id, track]));
  return [...byId.values()].filter((track) => track.access !== access);
}

/** Every place that holds an older copy of the track gets the new one. */
export const refreshQueue = (queue: readonly Track[], fresh: Track): readonly Track[] =>
  queue.some((track) => track.id === fresh.id)
    ? queue.map((track) => (track.id === fresh.id ? fresh : track))
    : queue;
