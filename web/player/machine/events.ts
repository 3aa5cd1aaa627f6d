import type { Track } from '#contract/tracks.ts';
import type { DeckEvent } from '../audio/deck.ts';
import type { ListeningEvent } from '../session/listening-events.ts';
import type { Queue } from './queue.ts';
import type { MachineState, SleepTimer } from './state.ts';

/** What an earlier visit saved. */
export type SavedVisit = Queue &
  Pick<MachineState, 'volume' | 'volumeBeforeMute' | 'crossfadeSeconds'> & {
    readonly currentTrack: Track | null;
    readonly currentTime: number;
    readonly duration: number;
  };

/** The outcome of these depends on the status of playback. */
type PlaybackCommand =
  | { type: 'setTrack'; track: Track }
  | { type: 'playTracks'; tracks: readonly Track[]; startIndex: number; source: string | null }
  | { type: 'playTrackAt'; index: number }
  | { type: 'play' | 'pause' | 'stop' | 'togglePlay' | 'skipToNext' | 'skipToPrevious' | 'close' }
  | { type: 'retryFailed' }
  | { type: 'seek'; seconds: number }
  | { type: 'toggleQueue' | 'toggleExpanded' }
  | { type: 'setSubscriber'; isSubscriber: boolean }
  | { type: 'refreshTrack'; track: Track }
  | { type: 'restore'; visit: Partial<SavedVisit> };

/** No fresh copy of a failed track arrived in time. */
type Timeout = { type: 'copyTimedOut' };

export type PlaybackEvent = PlaybackCommand | DeckEvent | Timeout;
export type PlaybackEventType = PlaybackEvent['type'];

/** These mean the same in every state of playback. */
export type SettingsEvent =
  | { type: 'addToQueue' | 'playNext' | 'prepare'; track: Track }
  | { type: 'removeFromQueue'; index: number }
  | { type: 'editQueue'; edit: (queue: Queue, currentTrack: Track) => Queue }
  | { type: 'setQueue'; tracks: readonly Track[] }
  | { type: 'clear' | 'mute' | 'unmute' | 'toggleMute' }
  | { type: 'setVolume'; volume: number }
  | { type: 'setCrossfade'; seconds: number }
  | { type: 'setDataSaver'; isDataSaver: boolean }
  | { type: 'setSleepTimer'; sleepTimer: SleepTimer | null };
export type SettingsEventType = SettingsEvent['type'];

export type MachineEvent = PlaybackEvent | SettingsEvent;

/** The members of a union of events that may have this type. */
export type EventOfType<E, T> = E extends { type: infer U } ? (T extends U ? E : never) : never;

/** A track that couldn't be played, and what the player did about it. */
export type PlaybackFailure = {
  readonly track: Track;
  /**
   * `skipped`: the next track is tried. `stopped`: there was none, so everything is reset.
   * `waiting`: the queue stays, and play tries again. `no-device`: the same, because there are no speakers.
   */
  readonly outcome: 'skipped' | 'stopped' | 'waiting' | 'no-device';
  /** It was only tried because the track before it had failed. */
  readonly isAfterFailure: boolean;
};

/** What a transition asks the outside to do, in this order, once the new state is published. */
export type Effect =
  | { type: 'load'; url: string; startAt: number }
  | { type: 'prepare'; url: string }
  /** Starts the file while the current one plays on, and fades from one to the other. */
  | { type: 'crossfade'; url: string; seconds: number }
  | { type: 'unload' | 'play' | 'pause' }
  | { type: 'seek'; seconds: number }
  | { type: 'setVolume'; volume: number }
  | { type: 'report'; event: ListeningEvent }
  | { type: 'announcePreviewEnd'; track: Track }
  | { type: 'announceFailure'; failure: PlaybackFailure }
  /** `hasFailed`: because the file can't be played. */
  | { type: 'requestFreshTracks'; tracks: readonly Track[]; hasFailed?: true }
  | { type: 'log'; message: string; cause: unknown };

/** What a transition may ask, and cannot change. */
export type Environment = {
  /** False if no file can be loaded now: there is no network, or the server is away. */
  isOnline(): boolean;
  /** Whether the outputs can play two files at once. */
  canCrossfade(): boolean;
  /** The second at which to resume a track that the user picks; 0 for its beginning. */
  resumeAt(track: Track): number;
};

export type Transition<S extends MachineState = MachineState> = {
  readonly state: S;
  readonly effects: readonly Effect[];
};
