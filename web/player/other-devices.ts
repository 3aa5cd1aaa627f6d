import type { Clock } from './clock.ts';
import type { Engine } from './engine.ts';
import { resumeAt, WORTH_RESUMING_SECONDS } from './resume-positions.ts';

/** Reports are a few seconds apart: a smaller difference is the same position. */
const SAME_POSITION_SECONDS = 5;

/** A track that is paused here and has since played on another device continues where that one stopped. */
export function watchOtherDevices(
  { store, listeningEvents, seek }: Pick<Engine, 'store' | 'listeningEvents' | 'seek'>,
  clock: Clock,
) {
  let movedAt = 0;
  const unsubscribe = listeningEvents.subscribe(() => {
    movedAt = clock.now();
  });
  return {
    /** For a restored visit: its position was last moved at this time. */
    setMovedAt(at: number): void {
      movedAt = at;
    },
    /** For a newer copy of the current track, or once the user's status is known. */
    sync(): void {
      const state = store.get();
      const progress = state.currentTrack?.progress;
      if (!state.currentTrack || !progress || progress.listenedAt <= movedAt) return;
      if (state.isPlaying || state.isStarting || !state.isFullTrackAvailable) return;
      // A track that was only started has no position to resume. This also skips the report of this
      // device's own start, which may reach the server after a later seek.
      if (progress.position < WORTH_RESUMING_SECONDS) return;
      if (Math.abs(progress.position - state.currentTime) > SAME_POSITION_SECONDS)
        seek(resumeAt(state.currentTrack, null));
    },
    movedAt: () => movedAt,
    dispose: unsubscribe,
  };
}
