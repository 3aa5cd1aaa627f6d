import type { Clock } from './clock.ts';
import { resumeAt, WORTH_RESUMING_SECONDS } from './resume-positions.ts';
import type { ListeningEvents } from './listening-events.ts';
import type { PlayerStore } from './store.ts';

/** Reports are a few seconds apart: less than this is the same place. */
const SAME_PLACE_SECONDS = 5;

type FollowedPlayer = {
  store: PlayerStore;
  listeningEvents: ListeningEvents;
  seek(seconds: number): void;
};

/** A track that rests here and was heard on another device since goes on where that one stopped. */
export function createDeviceSync({ store, listeningEvents, seek }: FollowedPlayer, clock: Clock) {
  let movedAt = 0;
  const unsubscribe = listeningEvents.subscribe(() => {
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
      if (!state.currentTrack || !progress || progress.listenedAt <= movedAt) return;
      if (state.isPlaying || state.isStarting || !state.isFullTrackAvailable) return;
      // Somebody who only began it has no place to go on from; nor is the report of this device's own
      // start, which may reach the server after the next move, worth more than that move.
      if (progress.position < WORTH_RESUMING_SECONDS) return;
      if (Math.abs(progress.position - state.currentTime) > SAME_PLACE_SECONDS)
        seek(resumeAt(state.currentTrack, null));
    },
    movedAt: () => movedAt,
    dispose: unsubscribe,
  };
}
