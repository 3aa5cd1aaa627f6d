import type { Track } from '#contract/tracks.ts';

/** What happened to the listening, for those that count it, keep it or tell others of it. */
export type Signal =
  /** Playback has started; `isResume` when this load had been heard before. */
  | { type: 'started'; track: Track; isResume: boolean }
  | { type: 'progress'; track: Track; time: number }
  /** The time jumps: what lies between two progresses was not heard. */
  | { type: 'jumped'; track: Track }
  /** Paused, stopped, at the preview's end, or left for another track. */
  | { type: 'rested'; track: Track; time: number }
  /** Played to its own end. */
  | { type: 'finished'; track: Track };

export type Signals = {
  emit(signal: Signal): void;
  subscribe(listener: (signal: Signal) => void): () => void;
};

export function createSignals(): Signals {
  const listeners = new Set<(signal: Signal) => void>();
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
