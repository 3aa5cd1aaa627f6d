import type { Track } from '#contract/tracks.ts';
import { limitCrossfade } from './crossfade.ts';
import {
  appendTrack,
  emptyQueue,
  findOutdated,
  insertNext,
  moveTo,
  placeTrack,
  refreshIn,
  removeAt,
  replaceQueue,
} from './queue.ts';
import { createSignals } from './signals.ts';
import { createPlayerStore, patchState, type PlayerState } from './store.ts';
import { createTransport, type TransportOptions } from './transport.ts';
import { DEFAULT_VOLUME, limitVolume } from './volume.ts';

export const RESTART_THRESHOLD_SECONDS = 3;

export type EngineOptions = Omit<TransportOptions, 'store' | 'signals'> & {
  /** Where in the file a track that the listener picks goes on; 0 for its beginning. */
  resumeAt(track: Track): number;
};

export type Engine = ReturnType<typeof createEngine>;

/** The commands of the player. What they mean is the specification's section 4, 'Player'. */
export function createEngine(options: EngineOptions) {
  const store = createPlayerStore();
  const signals = createSignals();
  const transport = createTransport({ ...options, store, signals });
  const get = store.get;
  const patch = (change: Partial<PlayerState>) => patchState(store, change);
  const { pause, stop, seek } = transport;

  function playPicked(queue: readonly Track[], index: number): void {
    const place = moveTo(queue, index);
    const track = queue[index];
    if (!place || !track) return;
    transport.load(track, place, options.resumeAt(track));
    transport.play();
  }
  const playTrackAt = (index: number) => playPicked(get().queue, index);

  function play(): void {
    if (get().currentTrack) transport.play();
    else playTrackAt(get().currentTrackIndex);
  }

  function restart(): void {
    if (get().currentTrack) transport.restart();
    else playTrackAt(get().currentTrackIndex);
  }

  function setVolume(volume: number): void {
    patch({ volume: limitVolume(volume, get().volume) });
    transport.setVolume(get().volume);
  }

  function mute(): void {
    if (get().volume === 0) return;
    patch({ volumeBeforeMute: get().volume });
    setVolume(0);
  }

  function unmute(): void {
    if (get().volume === 0) setVolume(get().volumeBeforeMute || DEFAULT_VOLUME);
  }

  return {
    store,
    signals,

    setTrack(track: Track): void {
      transport.load(track, placeTrack(get(), track), options.resumeAt(track));
    },
    play,
    pause,
    stop,
    seek,
    togglePlay: () => (get().isPlaying || get().isStarting ? pause() : play()),
    skipToNext(): void {
      const place = moveTo(get().queue, get().currentTrackIndex + 1);
      if (place) transport.playPlace(place);
      else restart();
    },
    skipToPrevious(): void {
      const { currentTime, currentTrackIndex } = get();
      const place = moveTo(get().queue, currentTrackIndex - 1);
      if (place && currentTime <= RESTART_THRESHOLD_SECONDS) transport.playPlace(place);
      else restart();
    },
    /** Stops playback and clears the current track; the queue stays. */
    close(): void {
      const { sleepTimer } = get();
      transport.unload({ sleepTimer: sleepTimer?.kind === 'end-of-track' ? null : sleepTimer });
    },

    playTracks(tracks: readonly Track[], startIndex = 0): void {
      playPicked([...tracks], startIndex);
    },
    playTrackAt,
    addToQueue: (track: Track) => patch(appendTrack(get(), track)),
    playNext: (track: Track) => patch(insertNext(get(), track)),
    removeFromQueue: (index: number) => patch(removeAt(get(), index)),
    setQueue: (tracks: readonly Track[]) => patch(replaceQueue(tracks)),
    /** Empties the queue; the current track plays on. */
    clear: () => patch(emptyQueue),

    setVolume,
    mute,
    unmute,
    toggleMute: () => (get().volume === 0 ? unmute() : mute()),

    setSubscriber(isSubscriber: boolean): void {
      if (get().isSubscriber === isSubscriber) return;
      patch({ isSubscriber, isFullTrackAvailable: isSubscriber });
      transport.applyAccess();
      const outdated = findOutdated(get(), isSubscriber ? 'full' : 'preview');
      if (outdated.length > 0) options.requestFreshTracks(outdated);
    },
    /** A newer copy of a track: its file and access as the server sees them now. */
    refreshTrack(fresh: Track): void {
      patch({ queue: refreshIn(get().queue, fresh) });
      transport.adopt(fresh);
    },

    toggleQueue(): void {
      if (get().currentTrack) patch({ isQueueVisible: !get().isQueueVisible });
    },
    toggleExpanded(): void {
      if (get().currentTrack) patch({ isExpanded: !get().isExpanded });
    },
    setCrossfade: (seconds: number) => patch({ crossfadeSeconds: limitCrossfade(seconds) }),
    /** Takes effect with the next file that is loaded. */
    setDataSaver: (isDataSaver: boolean) => patch({ isDataSaver }),

    /** Takes up what an earlier visit left, in silence; the file is loaded when play is pressed. */
    restore(kept: Partial<PlayerState>): void {
      patch(kept);
      transport.setVolume(get().volume);
    },
    prepare: transport.prepare,
    /** Not so of a track that an earlier visit left. */
    isLoaded: transport.isLoaded,
    dispose: () => transport.dispose(),
  };
}
