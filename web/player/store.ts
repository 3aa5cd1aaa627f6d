import type { Track } from '#contract/tracks.ts';
import { createStore, type Store } from '#web/lib/store/store.ts';
import {
  CLOSED_PANELS,
  fileStateOf,
  initialMachineState,
  isActive,
  isStarting,
  timeOf,
  type MachineState,
  type Settings,
} from './machine/state.ts';

/** What the page reads: the machine's state, flattened. */
export type PlayerState = Settings & {
  readonly currentTrack: Track | null;
  /** The loaded file of the current track; null while none is. */
  readonly fileUrl: string | null;
  /** Sound is coming out. True only once playback has really started. */
  readonly isPlaying: boolean;
  /** Playback was requested and hasn't started yet. */
  readonly isStarting: boolean;
  /** Playback waits for data. */
  readonly isBuffering: boolean;
  /** The file's metadata is loading. */
  readonly isLoading: boolean;
  /** Seconds of the whole track, even if only its preview may be played. */
  readonly duration: number;
  /** Seconds into the file that plays: a preview's run from 0 to its length. */
  readonly currentTime: number;
  readonly isFullTrackAvailable: boolean;
  readonly isQueueVisible: boolean;
  readonly isExpanded: boolean;
  /** The specification names it; waveforms are server state, so it stays empty. */
  readonly waveformData: null;
};

export type PlayerStore = Store<PlayerState>;

const IDLE_STATE = {
  currentTrack: null,
  fileUrl: null,
  isPlaying: false,
  isStarting: false,
  isBuffering: false,
  isLoading: false,
  duration: 0,
  currentTime: 0,
  ...CLOSED_PANELS,
};

function toPlayerState({ playback, ...settings }: MachineState): PlayerState {
  const shared = {
    ...settings,
    isFullTrackAvailable: settings.isSubscriber,
    waveformData: null,
  };
  if (playback.status === 'idle') return { ...shared, ...IDLE_STATE };
  return {
    ...shared,
    ...playback.panels,
    currentTrack: playback.track,
    fileUrl: fileStateOf(playback) === 'none' ? null : playback.load.url,
    isPlaying: isActive(playback) && !isStarting(playback),
    isStarting: isStarting(playback),
    isBuffering: playback.status === 'buffering',
    isLoading: fileStateOf(playback) === 'loading',
    duration: playback.duration,
    currentTime: timeOf(playback),
  };
}

export const initialPlayerState: PlayerState = toPlayerState(initialMachineState);

export const createPlayerStore = (): PlayerStore => createStore(initialPlayerState);

/** Subscribers are called only when something they can see has changed. */
export function publishState(store: PlayerStore, machine: MachineState): void {
  const [before, now] = [store.get(), toPlayerState(machine)];
  const keys = Object.keys(now) as (keyof PlayerState)[];
  if (keys.some((key) => !Object.is(before[key], now[key]))) store.set(now);
}
