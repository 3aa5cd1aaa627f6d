import type { Track } from '#contract/tracks.ts';
import type { PlayerState, PlayerStore } from './store.ts';

const NEXT_TRACK_LEAD_SECONDS = 30;

/** The track to fetch ahead: a preview's listener skips soon, a mix's only near the end. */
export function nextToPreload(state: PlayerState): Track | null {
  const { currentTrack, duration, currentTime, isPlaying, isLoading, isDataSaver } = state;
  if (!currentTrack || !isPlaying || isLoading || isDataSaver) return null;
  const isNear = !state.isFullTrackAvailable || duration - currentTime <= NEXT_TRACK_LEAD_SECONDS;
  return (isNear && state.queue[state.currentTrackIndex + 1]) || null;
}

export type PreloaderOptions = {
  store: PlayerStore;
  prepare(track: Track): void;
  isLoaded(): boolean;
  /** The device itself asks every page to save data. */
  savesData(): boolean;
};

/**
 * Has the beginning of what is likely to be played next at hand: one track at a time, and nothing at
 * all where data is to be saved.
 */
export function createPreloader({ store, prepare, isLoaded, savesData }: PreloaderOptions) {
  let foreseen: Track | null = null;

  function warmUp(track: Track): void {
    const { isDataSaver, currentTrack } = store.get();
    const isHere = track.id === currentTrack?.id && isLoaded();
    if (!isDataSaver && !savesData() && !isHere) prepare(track);
  }

  const unsubscribe = store.subscribe(() => {
    const next = nextToPreload(store.get());
    // Once for each: what the listener turns to meanwhile is not taken away again.
    if (next && next.id !== foreseen?.id) warmUp(next);
    foreseen = next;
  });
  return { warmUp, dispose: unsubscribe };
}
