import { PREVIEW_SECONDS } from '#contract/rules/preview.ts';
import { isCutToPreview, isEndOfPreview, resolveDuration } from '../preview-limit.ts';
import type { Effect, Environment, PlaybackFailure, Transition } from './events.ts';
import {
  fileStateOf,
  mustStaySilent,
  type Buffering,
  type Crossfading,
  type CurrentPlayback,
  type MachineState,
  type Paused,
  type Playing,
  type PreviewEnded,
  type Starting,
  resumeTimeOf,
  timeOf,
  isActive,
} from './state.ts';
import {
  advance,
  andThen,
  become,
  endPreview,
  isPastPreview,
  positionedOf,
  reportStop,
  stay,
  stop,
  toPaused,
  type CurrentState,
  nextPosition,
  reasonOf,
  returnTo,
  start,
  enterTrack,
} from './steps.ts';
import { dueCrossfade } from '../audio/crossfade.ts';

// What the events of the output do to the current track.

type WithFileState = Paused | PreviewEnded | Starting | Crossfading;
type Step<P extends CurrentPlayback, E> = (
  state: MachineState<P>,
  event: E,
  environment: Environment,
) => Transition;

/** Events of an output without a file are ignored. */
export const ifLoaded =
  <P extends CurrentPlayback, E>(step: Step<P, E>): Step<P, E> =>
  (state, event, environment) =>
    fileStateOf(state.playback) === 'none' ? stay(state) : step(state, event, environment);

/** Until the metadata is known, times and endings are meaningless. */
export const ifReady =
  <P extends CurrentPlayback, E>(step: Step<P, E>): Step<P, E> =>
  (state, event, environment) =>
    fileStateOf(state.playback) === 'ready' ? step(state, event, environment) : stay(state);

export const becomeReady = ifLoaded<WithFileState, { duration: number }>(
  (state, { duration: fileSeconds }) => {
    const duration = resolveDuration(state.playback.track, fileSeconds);
    return become(state, { ...state.playback, duration, file: 'ready' });
  },
);

export function setDuration(state: CurrentState, event: { duration: number }): Transition {
  const duration = resolveDuration(state.playback.track, event.duration);
  return become(state, { ...state.playback, duration });
}

export function setTime(
  state: MachineState<Exclude<CurrentPlayback, PreviewEnded>>,
  { time }: { time: number },
): Transition {
  if (isPastPreview(state, time)) return endPreview(state);
  return become(state, { ...state.playback, time });
}

/** Time passes while sound comes out. */
export function progress(
  state: MachineState<Playing | Buffering>,
  { time }: { time: number },
  environment: Environment,
): Transition {
  const { playback } = state;
  const { track } = playback;
  const isPast = isPastPreview(state, time);
  const reached = isPast ? PREVIEW_SECONDS : time;
  const report = {
    type: 'report',
    event: { type: 'progress', track, time: reached },
  } satisfies Effect;
  const playing = { ...state, playback: { ...playback, status: 'playing', time } as const };
  return andThen({ state: playing, effects: [report] }, (moved) =>
    isPast ? endPreview(moved) : crossfadeIfDue(moved, environment),
  );
}

export function startPlaying(state: CurrentState): Transition {
  const { track, load } = state.playback;
  const isResume = load.listened !== 'not-yet';
  return become(
    state,
    {
      status: 'playing',
      ...positionedOf(state.playback),
      load: { ...load, listened: 'started' },
      failedFrom: null,
    },
    { type: 'report', event: { type: 'started', track, isResume } },
  );
}

export function reachEnd(state: CurrentState): Transition {
  const { playback, isSubscriber, sleepTimer } = state;
  const { track, duration, failedFrom } = playback;
  if (isEndOfPreview({ isFullTrackAvailable: isSubscriber, duration })) return endPreview(state);
  if (isCutToPreview(track)) return awaitFullTrack(state);
  const load = { ...playback.load, listened: 'finished' } as const;
  const finished = {
    state: { ...state, playback: { ...playback, load } },
    effects: [{ type: 'report', event: { type: 'finished', track } } satisfies Effect],
  };
  return andThen(finished, (next) =>
    sleepTimer?.kind === 'end-of-track'
      ? stop({ ...next, sleepTimer: null })
      : advance(next, failedFrom, false),
  );
}

/** The preview file ended and the track did not: it was loaded before the user had access. */
function awaitFullTrack(state: CurrentState): Transition {
  const { playback } = state;
  return become(
    state,
    mustStaySilent(playback)
      ? playback
      : { status: 'awaitingFullTrack', ...positionedOf(playback) },
    ...reportStop(playback),
    { type: 'requestFreshTracks', tracks: [playback.track] },
  );
}

/** The file reports an error. */
export function fail(
  state: CurrentState,
  { reason: cause, hasNoDevice }: { reason: string; hasNoDevice?: true },
  environment: Environment,
): Transition {
  const message = `Error playing track: ${state.playback.track.title}`;
  const log = { type: 'log', message, cause } satisfies Effect;
  return andThen({ state, effects: [log] }, (failed) =>
    hasNoDevice ? halt(failed, 'no-device') : recoverFromError(failed, environment),
  );
}

/** The output rejected the request to play. */
export function failStart(
  state: MachineState<Starting | Crossfading>,
  { cause }: { cause: unknown },
  environment: Environment,
): Transition {
  const { playback } = state;
  const name = cause instanceof Error ? cause.name : '';
  const blocked = toPaused(playback, 'blocked');
  if (name === 'AbortError') return become(state, blocked);
  const message = `Could not start track: ${playback.track.title}`;
  const log = { type: 'log', message, cause } satisfies Effect;
  // A browser that wants a gesture first would refuse the next track as well.
  if (name === 'NotAllowedError') return become(state, blocked, log);
  return andThen({ state, effects: [log] }, (failed) =>
    recoverFromFailedStart(failed, environment),
  );
}

/** A file that fails again this close to the last failure is broken there. */
const SAME_POSITION_SECONDS = 5;

/** The file failed. One that has played before is loaded again, once for each position. */
function recoverFromError(state: CurrentState, { isOnline }: Environment): Transition {
  const { load } = state.playback;
  const { retriedAt } = load;
  const hasFailedHere =
    retriedAt !== null && Math.abs(timeOf(state.playback) - retriedAt) < SAME_POSITION_SECONDS;
  if (!isOnline()) return halt(state);
  return load.listened !== 'not-yet' && !hasFailedHere ? retry(state) : skip(state);
}

/** The device can't start the file. Without anything else to try it stays silent. */
function recoverFromFailedStart(state: CurrentState, { isOnline }: Environment): Transition {
  if (!isOnline()) return halt(state);
  return state.playback.failedFrom || nextPosition(state)
    ? skip(state)
    : become(state, toPaused(state.playback, 'failed'), announceFailure(state, 'waiting'));
}

const announceFailure = (
  { playback: { track, failedFrom } }: CurrentState,
  outcome: PlaybackFailure['outcome'],
): Effect => ({
  type: 'announceFailure',
  failure: { track, outcome, isAfterFailure: failedFrom !== null },
});

function retry(state: CurrentState): Transition {
  const { playback } = state;
  const retriedAt = resumeTimeOf(playback);
  const failed = { ...playback, load: { ...playback.load, retriedAt } };
  return andThen(unloadFile({ ...state, playback: failed }), (unloaded) => {
    const { track } = unloaded.playback;
    if (mustStaySilent(playback)) return { state: unloaded, effects: [] };
    if (track.access === 'preview') return start(unloaded);
    // The file may have moved, or the user may have lost access to it.
    return become(
      unloaded,
      { status: 'recovering', ...positionedOf(unloaded.playback) },
      { type: 'requestFreshTracks', tracks: [track], hasFailed: true },
    );
  });
}

/** A bad file is skipped. If everything up to the end of the queue fails, the files aren't to blame. */
function skip(state: CurrentState): Transition {
  const { playback, currentTrackIndex: index } = state;
  const hasNext = nextPosition(state) !== null;
  if (playback.failedFrom && !hasNext) return halt(state);
  const announcement = announceFailure(state, hasNext ? 'skipped' : 'stopped');
  return andThen({ state, effects: [announcement] }, (failed) =>
    advance(failed, playback.failedFrom ?? { playback, index }),
  );
}

/** Nothing can be loaded, or heard: wait where it began, with the track, the time and the queue. */
function halt(state: CurrentState, outcome: PlaybackFailure['outcome'] = 'waiting'): Transition {
  const { failedFrom } = state.playback;
  const { state: unloaded, effects } = unloadFile(state);
  return {
    state: failedFrom
      ? returnTo(unloaded, failedFrom.index, withoutFile(failedFrom.playback))
      : unloaded,
    effects: [...effects, announceFailure(state, outcome)],
  };
}

/** The position stays; the next play loads the file again. */
function unloadFile(state: CurrentState) {
  return {
    state: { ...state, playback: withoutFile(state.playback) },
    effects: [...reportStop(state.playback), { type: 'unload' }] satisfies Effect[],
  };
}

function withoutFile(playback: CurrentPlayback): Paused | PreviewEnded {
  if (playback.status === 'previewEnded') return { ...playback, file: 'none' };
  const reason = playback.status === 'paused' ? reasonOf(playback) : 'failed';
  return { ...toPaused(playback, reason, 'none'), time: resumeTimeOf(playback) };
}

/** Starts the next track while the current one plays its last seconds, if that is due now. */
function crossfadeIfDue(
  state: MachineState<Playing | Buffering>,
  environment: Environment,
): Transition {
  const { playback, currentTrackIndex: index } = state;
  const { track: finished, time, duration, load } = playback;
  const seconds = dueCrossfade({
    ...state,
    currentTrack: finished,
    currentTime: time,
    duration,
    isPlaying: isActive(playback),
  });
  const position = nextPosition(state);
  const track = position?.queue[position.currentTrackIndex];
  if (seconds === null || !load.canCrossfade || !position || !track) return stay(state);
  if (!environment.canCrossfade()) return stay(state);
  const entered = enterTrack(state, { track, position });
  const from = { playback: { status: 'playing', ...positionedOf(playback) } as const, index };
  return {
    state: {
      ...entered,
      playback: { status: 'crossfading', ...positionedOf(entered.playback), file: 'loading', from },
    },
    effects: [
      { type: 'report', event: { type: 'finished', track: finished } },
      { type: 'crossfade', url: entered.playback.load.url, seconds },
      { type: 'play' },
    ],
  };
}

/** The next file can't be played: the previous track plays on, and the next one is tried at its end. */
export function cancelCrossfade(state: MachineState<Crossfading>): Transition {
  const { playback, index } = state.playback.from;
  const load = { ...playback.load, canCrossfade: false };
  return stay(returnTo(state, index, { ...playback, load }));
}
