import { pickFile } from '#contract/rules/pick-file.ts';
import { PREVIEW_SECONDS } from '#contract/rules/preview.ts';
import type { Track } from '#contract/tracks.ts';
import { positionInTrack, timeInFile } from '../preview-limit.ts';
import type { Effect, Transition } from './events.ts';
import { findOutdated, refreshQueue } from './queue.ts';
import { fileStateOf, isActive, timeOf, type CurrentPlayback, type MachineState } from './state.ts';
import {
  andThen,
  endPreview,
  isPastPreview,
  positionedOf,
  reasonOf,
  reportStop,
  start,
  stay,
  toPaused,
  type CurrentState,
} from './steps.ts';

/** The user's status changed: continue with what had to wait for it, or stop where access ends. */
export function changeSubscriber(state: MachineState, isSubscriber: boolean): Transition {
  if (state.isSubscriber === isSubscriber) return stay(state);
  const changed = { ...state, isSubscriber };
  const { playback } = changed;
  const applied =
    playback.status === 'idle' ? stay(changed) : applyAccess({ ...changed, playback });
  return andThen(applied, requestOutdated);
}

function requestOutdated(state: MachineState): Transition {
  const { playback, queue, isSubscriber } = state;
  const currentTrack = playback.status === 'idle' ? null : playback.track;
  const tracks = findOutdated({ queue, currentTrack }, isSubscriber ? 'full' : 'preview');
  return {
    state,
    effects: tracks.length > 0 ? [{ type: 'requestFreshTracks', tracks }] : [],
  };
}

function applyAccess(state: CurrentState): Transition {
  const { playback, isSubscriber } = state;
  const { pendingCopy } = playback.load;
  const applied = isSubscriber
    ? stay({ ...state, playback: leavePreviewEnd(playback) })
    : stopAtPreviewEnd(state);
  return pendingCopy?.access === (isSubscriber ? 'full' : 'preview')
    ? andThen(applied, (next) => switchFile(next, pendingCopy))
    : applied;
}

const leavePreviewEnd = (playback: CurrentPlayback): CurrentPlayback =>
  playback.status === 'previewEnded' ? toPaused(playback, playback.reason) : playback;

const stopAtPreviewEnd = (state: CurrentState): Transition =>
  isActive(state.playback) && isPastPreview(state, timeOf(state.playback))
    ? endPreview(state)
    : stay(state);

/** A newer copy of a track: its file and access as the server has them now. */
export function adoptCopy(state: MachineState, fresh: Track): Transition {
  const queue = refreshQueue(state.queue, fresh);
  const refreshed = queue === state.queue ? state : { ...state, queue };
  const { playback } = refreshed;
  if (playback.status === 'idle' || playback.track.id !== fresh.id) return stay(refreshed);
  return adoptCurrent({ ...refreshed, playback }, fresh);
}

function adoptCurrent(state: CurrentState, fresh: Track): Transition {
  const { playback, isSubscriber } = state;
  if (fresh.access === playback.track.access) {
    const adopted = { ...state, playback: { ...playback, track: fresh } };
    return playback.status === 'recovering' ? start(adopted) : stay(adopted);
  }
  const isAheadOfStatus =
    fresh.access === 'full' ? !isSubscriber : isSubscriber && playback.status === 'recovering';
  if (!isAheadOfStatus) return switchFile(state, fresh);
  return stay({
    ...state,
    playback: { ...playback, load: { ...playback.load, pendingCopy: fresh } },
  });
}

/** Continues at the same position of the track in another file. */
function switchFile(state: MachineState, fresh: Track): Transition {
  const { playback } = state;
  if (playback.status === 'idle') return stay(state);
  const isAtPreviewEnd = playback.status === 'previewEnded' && fresh.access === 'preview';
  const time = isAtPreviewEnd
    ? PREVIEW_SECONDS
    : timeInFile(fresh, positionInTrack(playback.track, timeOf(playback)));
  const file = fileStateOf(playback) === 'none' ? 'none' : 'loading';
  const { url } = pickFile(fresh, state.isDataSaver);
  const switched = {
    ...positionedOf(playback),
    track: fresh,
    time,
    duration: fresh.duration,
    load: { ...playback.load, url, retriedAt: null, pendingCopy: null },
  };
  const effects: Effect[] = [...reportStop(playback)];
  if (file === 'loading') effects.push({ type: 'load', url, startAt: isAtPreviewEnd ? 0 : time });
  const reason = reasonOf(playback);
  const { time: _, ...timeless } = switched;
  const silent: CurrentPlayback = isAtPreviewEnd
    ? { status: 'previewEnded', ...timeless, reason, file }
    : { status: 'paused', ...switched, reason, file };
  const next = { state: { ...state, playback: silent }, effects };
  const wasRequested = isActive(playback) || playback.status === 'awaitingFullTrack';
  return wasRequested ? andThen(next, start) : next;
}
