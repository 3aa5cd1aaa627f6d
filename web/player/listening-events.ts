import type { Track } from '#contract/tracks.ts';

/** What happened to the listening, for those that count it, keep it or tell others of it. */
export type ListeningEvent =
  /** Playback has started; `isResume` when this load had been heard before. */
  | { type: 'started'; track: Track; isResume: boolean }
  | { type: 'progress'; track: Track; time: number }
  /** The time jumps: what lies between two progresses was not heard. */
  | { type: 'seeked'; track: Track }
  /** Paused, stopped, at the preview's end, or left for another track. */
  | { type: 'stopped'; track: Track; time: number }
  /** Played to its own end. */
  | { type: 'finished'; track: Track };

export type ListeningEvents = {
  emit(signal: ListeningEvent): void;
  subscribe(listener: (signal: ListeningEvent) => void): () => void;
};

export function createListeningEvents(): ListeningEvents {
  const listeners = new Set<(signal: ListeningEvent) => void>();
  return {
    emit(signal) {
      for (const listener of listeners) listener(signal);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
