import { pickFile } from '#contract/rules/pick-file.ts';
import { limitCrossfade } from '../audio/crossfade.ts';
import { DEFAULT_VOLUME, limitVolume } from './volume.ts';
import type { EventOfType, SettingsEvent, SettingsEventType, Transition } from './events.ts';
import { appendTrack, emptyQueue, insertNext, removeAt, replaceQueue } from './queue.ts';
import type { MachineState, Settings } from './state.ts';

type SettingsTable = {
  readonly [T in SettingsEventType]: (
    state: MachineState,
    event: EventOfType<SettingsEvent, T>,
  ) => Transition;
};

const change = (state: MachineState, settings: Partial<Settings>): Transition => ({
  state: { ...state, ...settings },
  effects: [],
});

function setVolume(state: MachineState, volume: number): Transition {
  const limited = limitVolume(volume, state.volume);
  return {
    state: { ...state, volume: limited },
    effects: [{ type: 'setVolume', volume: limited }],
  };
}

const mute = (state: MachineState): Transition =>
  state.volume === 0
    ? change(state, {})
    : setVolume({ ...state, volumeBeforeMute: state.volume }, 0);

const unmute = (state: MachineState): Transition =>
  state.volume === 0
    ? setVolume(state, state.volumeBeforeMute || DEFAULT_VOLUME)
    : change(state, {});

/** The queue and the settings: what these events do doesn't depend on playback. */
export const settingsTable: SettingsTable = {
  addToQueue: (state, { track }) => change(state, appendTrack(state, track)),
  playNext: (state, { track }) => change(state, insertNext(state, track)),
  removeFromQueue: (state, { index }) => change(state, removeAt(state, index)),
  setQueue: (state, { tracks }) => change(state, replaceQueue(tracks)),
  /** The queue of a closed player stays empty. */
  editQueue: (state, { edit }) =>
    change(state, state.playback.status === 'idle' ? {} : edit(state, state.playback.track)),
  /** Keeps the source: if an undo restores the list, what was added since still comes before it. */
  clear: (state) => change(state, { ...emptyQueue, source: state.source }),
  setVolume: (state, { volume }) => setVolume(state, volume),
  mute,
  unmute,
  toggleMute: (state) => (state.volume === 0 ? unmute(state) : mute(state)),
  setCrossfade: (state, { seconds }) =>
    change(state, { crossfadeSeconds: limitCrossfade(seconds) }),
  /** Applies to the next file that is loaded. */
  setDataSaver: (state, { isDataSaver }) => change(state, { isDataSaver }),
  setSleepTimer: (state, { sleepTimer }) => change(state, { sleepTimer }),
  prepare: (state, { track }) => ({
    state,
    effects: [{ type: 'prepare', url: pickFile(track, state.isDataSaver).url }],
  }),
};
