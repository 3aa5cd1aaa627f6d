import { dueCrossfade } from '../crossfade.ts';
import { pickFile } from '../preview-limit.ts';
import type { Environment, Transition } from './events.ts';
import {
  isActive,
  type Buffering,
  type Crossfading,
  type MachineState,
  type Playing,
} from './state.ts';
import { enterTrack, nextPosition, positionedOf, returnTo, stay } from './steps.ts';

/** Starts the next track while the current one plays its last seconds, if that is due now. */
export function crossfadeIfDue(
  state: MachineState<Playing | Buffering>,
  environment: Environment,
): Transition {
  const { playback, currentTrackIndex: index, isDataSaver } = state;
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
      { type: 'crossfade', url: pickFile(track, isDataSaver), seconds },
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
