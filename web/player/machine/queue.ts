import type { Track } from '#contract/tracks.ts';

/** The queue and the index of the current track in it; -1 if there is none. */
export type QueuePosition = {
  readonly queue: readonly Track[];
  readonly currentTrackIndex: number;
};

export const emptyQueue: QueuePosition = { queue: [], currentTrackIndex: -1 };

export const isIndexOf = (queue: readonly Track[], index: unknown): index is number =>
  Number.isInteger(index) && (index as number) >= 0 && (index as number) < queue.length;

/** The index of the track if it is in the queue; otherwise it is added at the end. */
export function queueTrack({ queue }: QueuePosition, track: Track): QueuePosition {
  const found = queue.findIndex((queued) => queued.id === track.id);
  return found === -1
    ? { queue: [...queue, track], currentTrackIndex: queue.length }
    : { queue: queue.with(found, track), currentTrackIndex: found };
}

/** A track that is already in the queue isn't added again. */
export const appendTrack = (
  { queue, currentTrackIndex }: QueuePosition,
  track: Track,
): QueuePosition => ({
  queue: queue.some((queued) => queued.id === track.id) ? queue : [...queue, track],
  currentTrackIndex,
});

/** Moves or adds the track right after the current one; the current track itself stays. */
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

/** The current track can't be removed; removing an earlier one moves the index down. */
export function removeAt(
  { queue, currentTrackIndex }: QueuePosition,
  index: number,
): QueuePosition {
  if (!isIndexOf(queue, index) || index === currentTrackIndex) return { queue, currentTrackIndex };
  return {
    queue: queue.toSpliced(index, 1),
    currentTrackIndex: index < currentTrackIndex ? currentTrackIndex - 1 : currentTrackIndex,
  };
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
