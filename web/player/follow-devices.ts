import type { Clock } from './clock.ts';
import { resumeAt } from './resume.ts';
import type { Signals } from './signals.ts';
import type { PlayerStore } from './store.ts';

/** Reports are a few seconds apart: less than this is the same place. */
const SAME_PLACE_SECONDS = 5;

type FollowedPlayer = { store: PlayerStore; signals: Signals; seek(seconds: number): void };

/** A track that rests here and was heard on another device since goes on where that one stopped. */
export function createDeviceFollower({ store, signals, seek }: FollowedPlayer, clock: Clock) {
  let movedAt = 0;
  const unsubscribe = signals.subscribe(() => {
    movedAt = clock.now();
  });
  return {
    /** What an earlier visit left behind was moved then. */
    noteRestored(at: number): void {
      movedAt = at;
    },
    /** For a newer copy of the current track, or a listener who is now known. */
    follow(): void {
      const state = store.get();
      const progress = state.currentTrack?.progress;
      if (!state.currentTrack || !progress || progress.heardAt <= movedAt) return;
      if (state.isPlaying || state.isStarting || !state.isFullTrackAvailable) return;
      if (Math.abs(progress.position - state.currentTime) > SAME_PLACE_SECONDS)
        seek(resumeAt(state.currentTrack, null));
    },
    movedAt: () => movedAt,
    dispose: unsubscribe,
  };
}
