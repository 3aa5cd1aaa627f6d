import type { Track } from '#contract/tracks.ts';

/** What happens while someone listens, for play reports, saved positions and analytics. */
export type ListeningEvent =
  /** Playback started; `isResume` if this load has played before. */
  | { type: 'started'; track: Track; isResume: boolean }
  | { type: 'progress'; track: Track; time: number }
  /** The time jumped: no one listened to the part between the last progress and the next. */
  | { type: 'seeked'; track: Track }
  /** Paused, stopped, at the end of the preview, or left for another track. */
  | { type: 'stopped'; track: Track; time: number }
  /** Played to its end. */
  | { type: 'finished'; track: Track };

export type ListeningEvents = {
  emit(event: ListeningEvent): void;
  subscribe(callback: (event: ListeningEvent) => void): () => void;
};

export function createListeningEvents(): ListeningEvents {
  const callbacks = new Set<(event: ListeningEvent) => void>();
  return {
    emit(event) {
      for (const callback of callbacks) callback(event);
    },
    subscribe(callback) {
      callbacks.add(callback);
      return () => callbacks.delete(callback);
    },
  };
}
