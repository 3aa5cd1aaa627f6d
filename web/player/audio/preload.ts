import type { Track } from '#contract/tracks.ts';
import type { Engine } from '#web/player/engine.ts';
import type { PlayerState } from '#web/player/store.ts';

const NEXT_TRACK_LEAD_SECONDS = 30;

/** The track to preload: previews are skipped soon, full tracks are needed only near the end. */
function findTrackToPreload(state: PlayerState): Track | null {
  const { currentTrack, duration, currentTime, isPlaying, isLoading, isDataSaver } = state;
  if (!currentTrack || !isPlaying || isLoading || isDataSaver) return null;
  const isNear = !state.isFullTrackAvailable || duration - currentTime <= NEXT_TRACK_LEAD_SECONDS;
  return (isNear && state.queue[state.currentTrackIndex + 1]) || null;
}

type PreloaderOptions = Pick<Engine, 'store' | 'prepare' | 'isLoaded'> & {
  /** The device asks pages to save data. */
  shouldSaveData(): boolean;
};

/**
 * Loads the beginning of the track that is likely to be played next: one at a time, and none at all
 * if data is to be saved.
 */
export function createPreloader({ store, prepare, isLoaded, shouldSaveData }: PreloaderOptions) {
  let predicted: Track | null = null;

  function warmUp(track: Track): void {
    const { isDataSaver, currentTrack } = store.get();
    const isHere = track.id === currentTrack?.id && isLoaded();
    if (!isDataSaver && !shouldSaveData() && !isHere) prepare(track);
  }

  const unsubscribe = store.subscribe(() => {
    const next = findTrackToPreload(store.get());
    // Once for each track, so that it doesn't replace a track the user picks in the meantime.
    if (next && next.id !== predicted?.id) warmUp(next);
    predicted = next;
  });
  return { warmUp, dispose: unsubscribe };
}
