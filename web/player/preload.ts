import type { Track } from '#contract/tracks.ts';
import { pickFile } from './preview-limit.ts';
import type { PlayerState, PlayerStore } from './store.ts';

/** Enough for the headers and the first seconds of sound. */
export const PRELOAD_BYTES = 64 * 1024;
const NEXT_TRACK_LEAD_SECONDS = 30;
const REMEMBERED_FILES = 50;

/** The track to fetch ahead: a preview's listener skips soon, a mix's only near the end. */
export function nextToPreload(state: PlayerState): Track | null {
  const { currentTrack, duration, currentTime, isPlaying, isLoading, isDataSaver } = state;
  if (!currentTrack || !isPlaying || isLoading || isDataSaver) return null;
  const isNear = !state.isFullTrackAvailable || duration - currentTime <= NEXT_TRACK_LEAD_SECONDS;
  return (isNear && state.queue[state.currentTrackIndex + 1]) || null;
}

export type FetchAhead = (url: string) => Promise<unknown>;

/** The bytes land in the browser's own cache, from where the audio element takes them. */
export const fetchAhead: FetchAhead = async (url) => {
  const response = await fetch(url, {
    headers: { range: `bytes=0-${PRELOAD_BYTES - 1}` },
    credentials: 'include',
    priority: 'low',
  });
  // A server without ranges would send the whole file.
  if (response.status === 206) await response.arrayBuffer();
  else await response.body?.cancel();
};

export function createPreloader(store: PlayerStore, fetchFile: FetchAhead) {
  const fetched = new Set<string>();

  function warmUp(track: Track): void {
    const { isDataSaver, currentTrack } = store.get();
    const url = pickFile(track, isDataSaver);
    if (isDataSaver || track.id === currentTrack?.id || fetched.has(url)) return;
    if (fetched.size >= REMEMBERED_FILES) fetched.clear();
    fetched.add(url);
    // It is only a head start: without it the file loads when it is played.
    fetchFile(url).catch(() => fetched.delete(url));
  }

  const unsubscribe = store.subscribe(() => {
    const next = nextToPreload(store.get());
    if (next) warmUp(next);
  });
  return { warmUp, dispose: unsubscribe };
}
