import { pickFile } from '#contract/rules/pick-file.ts';
import { PREVIEW_SECONDS } from '#contract/rules/preview.ts';
import type { Track } from '#contract/tracks.ts';
import { isAtPreviewLimit, limitSeek } from '../preview-limit.ts';
import type { Effect, Environment, Transition } from './events.ts';
import { emptyQueue, moveTo, type Queue, type QueuePosition } from './queue.ts';
import {
  CLOSED_PANELS,
  fileStateOf,
  IDLE,
  isActive,
  mustStaySilent,
  newLoad,
  timeOf,
  type Crossfading,
  type CurrentPlayback,
  type FileState,
  type MachineState,
  type Paused,
  type PauseReason,
  type Playback,
  type QueuedPlayback,
} from './state.ts';

// The steps that transitions are composed of. Each is pure, like the transitions themselves.

/** A state with a current track. */
export type CurrentState = MachineState<CurrentPlayback>;

export const stay = (state: MachineState): Transition => ({ state, effects: [] });

export const become = (
  state: MachineState,
  playback: Playback,
  ...effects: Effect[]
): Transition => ({ state: { ...state, playback }, effects });

export function andThen<S extends MachineState>(
  first: Transition<S>,
  next: (state: S) => Transition,
): Transition {
  const { state, effects } = next(first.state);
  return { state, effects: [...first.effects, ...effects] };
}

const hasFullTrack = ({ isSubscriber }: MachineState) => ({ isFullTrackAvailable: isSubscriber });

export const isPastPreview = (state: MachineState, time: number): boolean =>
  isAtPreviewLimit(hasFullTrack(state), time);

export const nextPosition = ({ queue, currentTrackIndex }: MachineState): QueuePosition | null =>
  moveTo(queue, currentTrackIndex + 1);

/** The fields that every state with a current track has. */
const currentOf = ({ track, duration, panels, load, failedFrom }: CurrentPlayback) => ({
  track,
  duration,
  panels,
  load,
  failedFrom,
});

export const positionedOf = (playback: CurrentPlayback) => ({
  ...currentOf(playback),
  time: timeOf(playback),
});

export const reasonOf = (playback: CurrentPlayback): PauseReason =>
  'reason' in playback ? playback.reason : 'not-started';

export const toPaused = (
  playback: CurrentPlayback,
  reason: PauseReason,
  file: FileState = fileStateOf(playback),
): Paused => ({ status: 'paused', ...positionedOf(playback), reason, file });

/** Reports that listening stopped: paused, at the end of the preview, or left for another track. */
export function reportStop(playback: CurrentPlayback, time = timeOf(playback)): Effect[] {
  const { track, load } = playback;
  return load.listened === 'started'
    ? [{ type: 'report', event: { type: 'stopped', track, time } }]
    : [];
}

const reportLeaving = (playback: Playback): Effect[] =>
  playback.status === 'idle' ? [] : reportStop(playback);

type LoadTarget = {
  track: Track;
  position: QueuePosition & Partial<Queue>;
  startAt?: number;
  reason?: PauseReason;
  failedFrom?: QueuedPlayback | null;
};

/** The new current track, paused at its beginning while its file loads. */
export function enterTrack(state: MachineState, target: LoadTarget): MachineState<Paused> {
  const { track, position, startAt = 0, reason = 'not-started', failedFrom = null } = target;
  const panels = state.playback.status === 'idle' ? CLOSED_PANELS : state.playback.panels;
  const { duration } = track;
  return {
    ...state,
    ...position,
    playback: {
      status: 'paused',
      track,
      time: 0,
      duration,
      panels,
      load: newLoad(pickFile(track, state.isDataSaver).url, startAt),
      failedFrom,
      reason,
      file: 'loading',
    },
  };
}

/** Stops the current track and loads another one. */
export function loadTrack(
  state: MachineState,
  target: LoadTarget,
): Transition<MachineState<Paused>> {
  const entered = enterTrack(state, target);
  const { url, startAt } = entered.playback.load;
  return {
    state: entered,
    effects: [...reportLeaving(state.playback), { type: 'load', url, startAt }],
  };
}

export function playPosition(
  state: MachineState,
  position: LoadTarget['position'] | null,
  startAt: (track: Track) => number = () => 0,
): Transition {
  const track = position?.queue[position.currentTrackIndex];
  if (!position || !track) return stay(state);
  return andThen(loadTrack(state, { track, position, startAt: startAt(track) }), start);
}

export const playAt = (state: MachineState, index: number, { resumeAt }: Environment): Transition =>
  playPosition(state, moveTo(state.queue, index), resumeAt);

/** Playback is requested. The preview starts over where its end was reached. */
export function start(state: CurrentState): Transition {
  const { playback } = state;
  if (isPastPreview(state, timeOf(playback))) return andThen(moveTime(state, 0), start);
  const file = fileStateOf(playback);
  const { url } = file === 'none' ? pickFile(playback.track, state.isDataSaver) : playback.load;
  const load: Effect[] = file === 'none' ? [{ type: 'load', url, startAt: timeOf(playback) }] : [];
  return become(
    state,
    {
      status: 'starting',
      ...positionedOf(playback),
      load: { ...playback.load, url },
      file: file === 'none' ? 'loading' : file,
    },
    ...load,
    { type: 'play' },
  );
}

export function pause(state: CurrentState): Transition<CurrentState> {
  const { playback } = state;
  const paused =
    playback.status === 'previewEnded'
      ? { ...playback, reason: 'user' as const }
      : toPaused(playback, 'user');
  const report = isActive(playback) ? reportStop(playback) : [];
  return { state: { ...state, playback: paused }, effects: [{ type: 'pause' }, ...report] };
}

export const stop = (state: CurrentState): Transition =>
  andThen(pause(state), (paused) => moveTime(paused, 0));

/** Moves to another second of the file, also away from the end of the preview. */
function moveTime(state: CurrentState, seconds: number): Transition<CurrentState> {
  const { playback } = state;
  const moved = { time: seconds, load: { ...playback.load, startAt: 0 } };
  return {
    state: { ...state, playback: { ...afterJump(playback), ...moved } },
    effects: [
      { type: 'report', event: { type: 'seeked', track: playback.track } },
      { type: 'seek', seconds },
    ],
  };
}

/** A jump ends a crossfade, and the wait at the end of the preview. */
function afterJump(playback: CurrentPlayback) {
  if (playback.status === 'previewEnded') return toPaused(playback, playback.reason);
  if (playback.status !== 'crossfading') return playback;
  return { status: 'starting', ...positionedOf(playback), file: playback.file } as const;
}

export function seek(state: CurrentState, seconds: number): Transition {
  if (Number.isNaN(seconds)) return stay(state);
  const { track, duration } = state.playback;
  const target = limitSeek(seconds, { ...hasFullTrack(state), duration, currentTrack: track });
  return andThen(moveTime(state, target), (moved) =>
    isPastPreview(moved, target) ? endPreview(moved) : stay(moved),
  );
}

export function restart(state: CurrentState): Transition {
  return andThen(moveTime(state, 0), (moved) =>
    moved.playback.status === 'playing' || moved.playback.status === 'buffering'
      ? stay(moved)
      : start(moved),
  );
}

export const withoutEndOfTrackTimer = <S extends MachineState>(state: S): S =>
  state.sleepTimer?.kind === 'end-of-track' ? { ...state, sleepTimer: null } : state;

/** Stops a free user: the time is fixed at the end of the preview. */
export function endPreview(state: CurrentState): Transition {
  const { playback } = state;
  const { track } = playback;
  const effects: Effect[] = [{ type: 'pause' }];
  if (track.access === 'full') effects.push({ type: 'seek', seconds: PREVIEW_SECONDS });
  if (isActive(playback))
    effects.push(...reportStop(playback, PREVIEW_SECONDS), { type: 'announcePreviewEnd', track });
  return become(
    withoutEndOfTrackTimer(state),
    {
      status: 'previewEnded',
      ...currentOf(playback),
      reason: isActive(playback) ? 'preview-limit' : reasonOf(playback),
      file: fileStateOf(playback),
    },
    ...effects,
  );
}

/** No current track and an empty queue: a later track must not bring the old ones back. */
export const unload = (state: MachineState): Transition => ({
  state: { ...state, playback: IDLE, ...emptyQueue },
  effects: [...reportLeaving(state.playback), { type: 'unload' }],
});

/** Plays the next track, or loads it silently; at the end of the queue everything resets. */
export function advance(
  state: CurrentState,
  failedFrom: QueuedPlayback | null = null,
  isSilent = mustStaySilent(state.playback),
): Transition {
  const position = nextPosition(state);
  const track = position?.queue[position.currentTrackIndex];
  if (!position || !track) return unload({ ...state, sleepTimer: null });
  const reason = isSilent ? 'user' : 'not-started';
  const loaded = loadTrack(state, { track, position, failedFrom, reason });
  return isSilent ? loaded : andThen(loaded, start);
}

/** Back to a track that was left. The queue may have changed since, and the panels stay as they are. */
export function returnTo(
  state: CurrentState,
  index: number,
  playback: Exclude<CurrentPlayback, Crossfading>,
): MachineState {
  const { queue } = state;
  const { id } = playback.track;
  const isStillThere = index === -1 || queue[index]?.id === id;
  return {
    ...state,
    currentTrackIndex: isStillThere ? index : queue.findIndex((track) => track.id === id),
    playback: { ...playback, panels: state.playback.panels },
  };
}
