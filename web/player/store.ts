import type { Track } from '#contract/tracks.ts';
import { createStore, type Store } from '#web/lib/store.ts';
import { DEFAULT_VOLUME } from './volume.ts';

export type SleepTimer = { kind: 'at'; endsAt: number } | { kind: 'end-of-track' };

export type PlayerState = {
  readonly currentTrack: Track | null;
  /** Sound is coming out. Set only once playback has really started. */
  readonly isPlaying: boolean;
  /** Playback was asked for and has not started yet. */
  readonly isStarting: boolean;
  /** Playback waits for data. */
  readonly isBuffering: boolean;
  /** The file's metadata is on its way. */
  readonly isLoading: boolean;
  /** Seconds of the whole track, also where only its preview may be heard. */
  readonly duration: number;
  /** Seconds into the file that plays: for a preview it runs from 0 to 20. */
  readonly currentTime: number;
  /** From 0 to 1. */
  readonly volume: number;
  /** What unmute goes back to. */
  readonly volumeBeforeMute: number;
  readonly isSubscriber: boolean;
  readonly isFullTrackAvailable: boolean;
  readonly queue: readonly Track[];
  /** -1 when none. */
  readonly currentTrackIndex: number;
  readonly isQueueVisible: boolean;
  readonly isExpanded: boolean;
  /** Named by the specification, filled by nobody: waveforms are server state. */
  readonly waveformData: null;
  readonly crossfadeSeconds: number;
  readonly isDataSaver: boolean;
  readonly sleepTimer: SleepTimer | null;
};

export type PlayerStore = Store<PlayerState>;

/** Nothing sounds and nothing is about to. */
export const SILENT = { isPlaying: false, isStarting: false, isBuffering: false };

/** What playback leaves behind when nothing is current any more. */
export const idlePlayback = {
  currentTrack: null,
  ...SILENT,
  isLoading: false,
  duration: 0,
  currentTime: 0,
  currentTrackIndex: -1,
  isQueueVisible: false,
  isExpanded: false,
} satisfies Partial<PlayerState>;

export const initialPlayerState: PlayerState = {
  ...idlePlayback,
  volume: DEFAULT_VOLUME,
  volumeBeforeMute: DEFAULT_VOLUME,
  isSubscriber: false,
  isFullTrackAvailable: false,
  queue: [],
  waveformData: null,
  crossfadeSeconds: 0,
  isDataSaver: false,
  sleepTimer: null,
};

export const createPlayerStore = (): PlayerStore => createStore(initialPlayerState);

/** Listeners are told only of a patch that changes something. */
export function patchState(store: PlayerStore, patch: Partial<PlayerState>): void {
  const state = store.get();
  const keys = Object.keys(patch) as (keyof PlayerState)[];
  if (keys.some((key) => !Object.is(state[key], patch[key]))) store.set({ ...state, ...patch });
}
