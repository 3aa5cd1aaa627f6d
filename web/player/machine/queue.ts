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

export const indexOfTrack = (queue: readonly Track[], { id }: Track): number =>
  queue.findIndex((queued) => queued.id === id);

/** The listener chose this track, rather than the list it is in. */
export const isQueued = ({ source, queuedIds }: Queue, { id }: Track): boolean =>
  source === null || queuedIds.includes(id);

/** The index after the last track that the listener queued to come after the current one. */
export function findUpNextEnd(state: Queue): number {
  const last = state.queue.findLastIndex((track) => isQueued(state, track));
  return Math.max(last, state.currentTrackIndex) + 1;
}

export const addId = (ids: readonly string[], id: string): readonly string[] =>
  ids.includes(id) ? ids : [...ids, id];

export const removeId = (ids: readonly string[], id: string): readonly string[] =>
  ids.includes(id) ? ids.filter((other) => other !== id) : ids;

/** The index of the track if it is in the queue; otherwise it is added at the end. */
export function queueTrack({ queue }: QueuePosition, track: Track): QueuePosition {
  const found = indexOfTrack(queue, track);
  return found === -1
    ? { queue: [...queue, track], currentTrackIndex: queue.length }
    : { queue: queue.with(found, track), currentTrackIndex: found };
}

/** Moves or adds the track to the index that `findPlace` returns. The current track is never moved. */
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
