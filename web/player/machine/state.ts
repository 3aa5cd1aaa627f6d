import { PREVIEW_SECONDS } from '#contract/rules/preview.ts';
import type { Track } from '#contract/tracks.ts';
import { DEFAULT_VOLUME } from './volume.ts';
import { emptyQueue, type Queue } from './queue.ts';

/** Why the current track is silent. */
export type PauseReason =
  /** It was loaded or restored, and no one has pressed play yet. */
  | 'not-started'
  /** The user, the device, another tab or the sleep timer paused it. */
  | 'user'
  /** The end of the preview stopped it. */
  | 'preview-limit'
  /** The browser interrupted the start, or wants a gesture first. */
  | 'blocked'
  /** The file couldn't be loaded or played. */
  | 'failed';

/** Whether the output has the file of the current track: `ready` once its metadata is known. */
export type FileState = 'none' | 'loading' | 'ready';

/** The panels of the player. Without a current track there are none to open. */
export type Panels = { readonly isQueueVisible: boolean; readonly isExpanded: boolean };

/** What the player remembers about a load of the current track. */
type LoadHistory = {
  /** The file that was loaded, or would be now: data saver changes only the next one. */
  readonly url: string;
  /** The second the file was asked to start at, until the first time arrives. */
  readonly startAt: number;
  readonly listened: 'not-yet' | 'started' | 'finished';
  /** Where the file last failed and was loaded again. */
  readonly retriedAt: number | null;
  /** A copy of the track with other access, which arrived before the user's new status did. */
  readonly pendingCopy: Track | null;
  /** False once the next file failed to fade in: this one then plays to its end. */
  readonly canCrossfade: boolean;
};

type Current = {
  readonly track: Track;
  /** Seconds of the whole track, even if only its preview may be played. */
  readonly duration: number;
  readonly panels: Panels;
  readonly load: LoadHistory;
  /** Where a series of failing files began; null while nothing fails. */
  readonly failedFrom: QueuedPlayback | null;
};

type Positioned = Current & {
  /** Seconds into the file. */
  readonly time: number;
};

export type Idle = { readonly status: 'idle' };
export type Paused = Positioned & {
  readonly status: 'paused';
  readonly reason: PauseReason;
  readonly file: FileState;
};
/** The time is fixed at the end of the preview, so this state has none of its own. */
export type PreviewEnded = Current & {
  readonly status: 'previewEnded';
  readonly reason: PauseReason;
  readonly file: FileState;
};
/** Play was requested, and no sound comes out yet. */
export type Starting = Positioned & {
  readonly status: 'starting';
  readonly file: 'loading' | 'ready';
};
/** The previous track still plays until this one starts. */
export type Crossfading = Positioned & {
  readonly status: 'crossfading';
  readonly file: 'loading' | 'ready';
  readonly from: QueuedPlayback<Playing>;
};
export type Playing = Positioned & { readonly status: 'playing' };
/** Playback waits for data. */
export type Buffering = Positioned & { readonly status: 'buffering' };
/** The file failed and was unloaded; it is loaded again once a fresh copy of the track arrives. */
export type Recovering = Positioned & { readonly status: 'recovering' };
/** The preview file ended for a subscriber; the URL of the full file is being fetched. */
type AwaitingFullTrack = Positioned & { readonly status: 'awaitingFullTrack' };

/** Playback with the index its track had in the queue, to return to. */
export type QueuedPlayback<P = CurrentPlayback> = { readonly playback: P; readonly index: number };

export type CurrentPlayback =
  | Paused
  | PreviewEnded
  | Starting
  | Crossfading
  | Playing
  | Buffering
  | Recovering
  | AwaitingFullTrack;

export type Playback = Idle | CurrentPlayback;
export type Status = Playback['status'];

export type SleepTimer = { kind: 'at'; endsAt: number } | { kind: 'end-of-track' };

/** What is the same in every state of playback. */
export type Settings = Queue & {
  /** From 0 to 1. */
  readonly volume: number;
  /** The volume that unmute restores. */
  readonly volumeBeforeMute: number;
  readonly isSubscriber: boolean;
  readonly crossfadeSeconds: number;
  readonly isDataSaver: boolean;
  readonly sleepTimer: SleepTimer | null;
};

export type MachineState<P extends Playback = Playback> = Settings & { readonly playback: P };

export const IDLE: Idle = { status: 'idle' };

export const initialMachineState: MachineState<Idle> = {
  playback: IDLE,
  ...emptyQueue,
  volume: DEFAULT_VOLUME,
  volumeBeforeMute: DEFAULT_VOLUME,
  isSubscriber: false,
  crossfadeSeconds: 0,
  isDataSaver: false,
  sleepTimer: null,
};

export const newLoad = (url: string, startAt: number): LoadHistory => ({
  url,
  startAt,
  listened: 'not-yet',
  retriedAt: null,
  pendingCopy: null,
  canCrossfade: true,
});

export const CLOSED_PANELS: Panels = { isQueueVisible: false, isExpanded: false };

/** Sound comes out, or will as soon as it can. */
type ActivePlayback = Starting | Crossfading | Playing | Buffering | Recovering;

export const isActive = (playback: Playback): playback is ActivePlayback =>
  playback.status === 'playing' || playback.status === 'buffering' || isStarting(playback);

export const isStarting = (playback: Playback): playback is Starting | Crossfading | Recovering =>
  playback.status === 'starting' ||
  playback.status === 'crossfading' ||
  playback.status === 'recovering';

/** Playback that was paused on purpose: an error then must not start the next track. */
export const mustStaySilent = (playback: CurrentPlayback): boolean =>
  'reason' in playback && (playback.reason === 'user' || playback.reason === 'preview-limit');

export const timeOf = (playback: CurrentPlayback): number =>
  playback.status === 'previewEnded' ? PREVIEW_SECONDS : playback.time;

/** Where playback continues. Before the first time arrives, that is where the file was to start. */
export const resumeTimeOf = (playback: CurrentPlayback): number =>
  timeOf(playback) || playback.load.startAt;

export function fileStateOf(playback: CurrentPlayback): FileState {
  if (playback.status === 'recovering') return 'none';
  return 'file' in playback ? playback.file : 'ready';
}
