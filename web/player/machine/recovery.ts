import type { Effect, Environment, Transition } from './events.ts';
import {
  mustStaySilent,
  resumeTimeOf,
  timeOf,
  type CurrentPlayback,
  type Paused,
  type PreviewEnded,
} from './state.ts';
import {
  advance,
  andThen,
  become,
  nextPosition,
  positionedOf,
  reasonOf,
  reportStop,
  returnTo,
  start,
  toPaused,
  type CurrentState,
} from './steps.ts';

/** A file that fails again this close to the last failure is broken there. */
const SAME_POSITION_SECONDS = 5;

/** The file failed. One that has played before is loaded again, once for each position. */
export function recoverFromError(state: CurrentState, { isOnline }: Environment): Transition {
  const { load } = state.playback;
  const { retriedAt } = load;
  const hasFailedHere =
    retriedAt !== null && Math.abs(timeOf(state.playback) - retriedAt) < SAME_POSITION_SECONDS;
  if (!isOnline()) return halt(state);
  return load.listened !== 'not-yet' && !hasFailedHere ? retry(state) : skip(state);
}

/** The device can't start the file. Without anything else to try it stays silent. */
export function recoverFromFailedStart(state: CurrentState, { isOnline }: Environment): Transition {
  if (!isOnline()) return halt(state);
  return state.playback.failedFrom || nextPosition(state)
    ? skip(state)
    : become(state, toPaused(state.playback, 'failed'));
}

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
      { type: 'requestFreshTracks', tracks: [track] },
    );
  });
}

/** A bad file is skipped. If everything up to the end of the queue fails, the files aren't to blame. */
function skip(state: CurrentState): Transition {
  const { playback, currentTrackIndex: index } = state;
  if (playback.failedFrom && !nextPosition(state)) return halt(state);
  return advance(state, playback.failedFrom ?? { playback, index });
}

/** Nothing can be loaded: wait where it began, with the track, the time and the queue. */
function halt(state: CurrentState): Transition {
  const { failedFrom } = state.playback;
  const { state: unloaded, effects } = unloadFile(state);
  return {
    state: failedFrom
      ? returnTo(unloaded, failedFrom.index, withoutFile(failedFrom.playback))
      : unloaded,
    effects: [...effects, { type: 'announceHalt' }],
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
