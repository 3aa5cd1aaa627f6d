import { adoptCopy, changeSubscriber } from './access.ts';
import {
  becomeReady,
  fail,
  failStart,
  ifLoaded,
  ifReady,
  progress,
  reachEnd,
  setDuration,
  setTime,
  startPlaying,
  cancelCrossfade,
} from './audio-steps.ts';
import type {
  Environment,
  EventOfType,
  MachineEvent,
  PlaybackEvent,
  PlaybackEventType,
  SavedVisit,
  SettingsEvent,
  Transition,
} from './events.ts';
import { emptyQueue, moveTo, queueTrack } from './queue.ts';
import { settingsTable } from './settings.ts';
import {
  timeOf,
  type Idle,
  type MachineState,
  type Panels,
  type Playback,
  type Status,
} from './state.ts';
import {
  become,
  enterTrack,
  loadTrack,
  nextPosition,
  pause,
  playAt,
  playPosition,
  restart,
  seek,
  start,
  stay,
  stop,
  unload,
  withoutEndOfTrackTimer,
  type CurrentState,
} from './steps.ts';

const RESTART_THRESHOLD_SECONDS = 3;

type Handler<S extends Status, T extends PlaybackEventType> = (
  state: MachineState<Extract<Playback, { status: S }>>,
  event: EventOfType<PlaybackEvent, T>,
  environment: Environment,
) => Transition;

type Row<S extends Status> = { readonly [T in PlaybackEventType]: Handler<S, T> };
export type PlaybackTable = { readonly [S in Status]: Row<S> };

/** The event means nothing in this state, and nothing changes. */
export const ignore = (state: MachineState): Transition => stay(state);

function restore(state: MachineState<Idle>, { visit }: { visit: Partial<SavedVisit> }): Transition {
  const { currentTrack, currentTime = 0, duration, ...settings } = visit;
  const restored = { ...state, ...emptyQueue, ...settings };
  const playback: Playback = currentTrack
    ? {
        ...enterTrack(restored, { track: currentTrack, position: restored }).playback,
        time: currentTime,
        duration: duration ?? currentTrack.duration,
        file: 'none',
      }
    : state.playback;
  return become(restored, playback, { type: 'setVolume', volume: restored.volume });
}

const togglePanel =
  (panel: keyof Panels) =>
  (state: CurrentState): Transition => {
    const { panels } = state.playback;
    return become(state, { ...state.playback, panels: { ...panels, [panel]: !panels[panel] } });
  };

const previousPosition = ({ queue, currentTrackIndex }: MachineState) =>
  moveTo(queue, currentTrackIndex - 1);

const playCurrentIndex = (state: MachineState, _: unknown, environment: Environment): Transition =>
  playAt(state, state.currentTrackIndex, environment);

const inEveryState = {
  setTrack: (state, { track }, { resumeAt }) =>
    loadTrack(state, { track, position: queueTrack(state, track), startAt: resumeAt(track) }),
  playTracks: (state, { tracks, startIndex, source }, { resumeAt }) => {
    const position = moveTo([...tracks], startIndex);
    return playPosition(state, position && { ...position, source, queuedIds: [] }, resumeAt);
  },
  playTrackAt: (state, { index }, environment) => playAt(state, index, environment),
  close: (state) => unload(withoutEndOfTrackTimer(state)),
  setSubscriber: (state, { isSubscriber }) => changeSubscriber(state, isSubscriber),
  refreshTrack: (state, { track }) => adoptCopy(state, track),
} satisfies Partial<Row<Status>>;

const withoutOutput = {
  loadedmetadata: ignore,
  durationchange: ignore,
  timeupdate: ignore,
  playing: ignore,
  paused: ignore,
  waiting: ignore,
  canplay: ignore,
  ended: ignore,
  error: ignore,
  playFailed: ignore,
  crossfadeFailed: ignore,
} satisfies Partial<Row<Status>>;

const withTrack = {
  ...inEveryState,
  restore: ignore,
  stop,
  seek: (state: CurrentState, { seconds }: { seconds: number }) => seek(state, seconds),
  skipToNext: (state: CurrentState) => {
    const next = nextPosition(state);
    return next ? playPosition(state, next) : restart(state);
  },
  skipToPrevious: (state: CurrentState) => {
    const previous = previousPosition(state);
    return previous && timeOf(state.playback) <= RESTART_THRESHOLD_SECONDS
      ? playPosition(state, previous)
      : restart(state);
  },
  toggleQueue: togglePanel('isQueueVisible'),
  toggleExpanded: togglePanel('isExpanded'),
  retryFailed: ignore,
  copyTimedOut: ignore,
};

const silent = { ...withTrack, play: start, pause, togglePlay: start };
const active = { ...withTrack, play: start, pause, togglePlay: pause };

const sounding = {
  ...active,
  ...withoutOutput,
  play: ignore,
  loadedmetadata: setDuration,
  durationchange: setDuration,
  timeupdate: progress,
  paused: pause,
  ended: reachEnd,
  error: fail,
};

const startRequested = {
  ...active,
  ...withoutOutput,
  loadedmetadata: becomeReady,
  durationchange: ifReady(setDuration),
  timeupdate: ifReady(setTime),
  playing: startPlaying,
  paused: pause,
  ended: ifReady(reachEnd),
  error: fail,
  playFailed: failStart,
};

/** Every state with every event. A state or an event that is missing here doesn't compile. */
export const playbackTable: PlaybackTable = {
  idle: {
    ...inEveryState,
    ...withoutOutput,
    restore,
    play: playCurrentIndex,
    togglePlay: playCurrentIndex,
    skipToNext: (state, event, environment) => {
      const next = nextPosition(state);
      return next ? playPosition(state, next) : playCurrentIndex(state, event, environment);
    },
    skipToPrevious: (state, event, environment) => {
      const previous = previousPosition(state);
      return previous ? playPosition(state, previous) : playCurrentIndex(state, event, environment);
    },
    pause: ignore,
    stop: ignore,
    seek: ignore,
    toggleQueue: ignore,
    toggleExpanded: ignore,
    retryFailed: ignore,
    copyTimedOut: ignore,
  },
  paused: {
    ...silent,
    ...withoutOutput,
    retryFailed: (state) => (state.playback.reason === 'failed' ? start(state) : stay(state)),
    loadedmetadata: becomeReady,
    durationchange: ifReady(setDuration),
    timeupdate: ifReady(setTime),
    // The device may resume by itself, after a phone call for instance.
    playing: ifLoaded(startPlaying),
    ended: ifReady(reachEnd),
    error: ifLoaded(fail),
  },
  previewEnded: {
    ...silent,
    ...withoutOutput,
    loadedmetadata: becomeReady,
    durationchange: ifReady(setDuration),
    // A device that resumes by itself must not play past the end of the preview.
    playing: ifLoaded((state) => become(state, state.playback, { type: 'pause' })),
    ended: ifReady(reachEnd),
    error: ifLoaded(fail),
  },
  starting: startRequested,
  crossfading: {
    ...startRequested,
    play: (state) => become(state, state.playback, { type: 'play' }),
    crossfadeFailed: cancelCrossfade,
  },
  playing: {
    ...sounding,
    waiting: (state) => become(state, { ...state.playback, status: 'buffering' }),
  },
  buffering: {
    ...sounding,
    playing: (state) => become(state, { ...state.playback, status: 'playing' }),
    canplay: (state) => become(state, { ...state.playback, status: 'playing' }),
  },
  recovering: { ...active, ...withoutOutput, copyTimedOut: start },
  awaitingFullTrack: {
    ...silent,
    ...withoutOutput,
    loadedmetadata: setDuration,
    durationchange: setDuration,
    timeupdate: setTime,
    playing: startPlaying,
    ended: reachEnd,
    error: fail,
  },
};

const isSettingsEvent = (event: MachineEvent): event is SettingsEvent =>
  Object.hasOwn(settingsTable, event.type);

/** What an event does: the next state, and the effects to run once it is published. Pure. */
export function transition(
  state: MachineState,
  event: MachineEvent,
  environment: Environment,
): Transition {
  // The rows are checked against their states and events above; a lookup by both can't be typed.
  type AnyHandler = (s: MachineState, e: MachineEvent, environment: Environment) => Transition;
  const handler = isSettingsEvent(event)
    ? settingsTable[event.type]
    : playbackTable[state.playback.status][event.type];
  return (handler as AnyHandler)(state, event, environment);
}
