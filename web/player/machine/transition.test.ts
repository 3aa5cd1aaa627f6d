import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PREVIEW_SECONDS } from '#contract/rules/preview.ts';
import { buildPreview, buildTrack } from '#web/testing/build-track.ts';
import type {
  Environment,
  MachineEvent,
  PlaybackEventType,
  SettingsEventType,
  Transition,
} from './events.ts';
import { moveInQueue, restoreRemoved } from './queue-edits.ts';
import type { Queue } from './queue.ts';
import { settingsTable } from './settings.ts';
import {
  CLOSED_PANELS,
  initialMachineState,
  isActive,
  newLoad,
  timeOf,
  type CurrentPlayback,
  type MachineState,
  type Playback,
  type Playing,
  type Status,
} from './state.ts';
import { ignore, playbackTable, transition } from './transition.ts';

const [full, next, preview] = [buildTrack('full'), buildTrack('next'), buildPreview('preview')];
const environment: Environment = {
  isOnline: () => true,
  canCrossfade: () => true,
  resumeAt: () => 0,
};

const current = {
  track: full,
  duration: 300,
  panels: CLOSED_PANELS,
  load: { ...newLoad('', 0), listened: 'started' },
  failedFrom: null,
} as const;
const playing: Playing = { status: 'playing', ...current, time: 10 };

/** One state of each status. */
const playbacks: { [S in Status]: Extract<Playback, { status: S }> } = {
  idle: { status: 'idle' },
  paused: { status: 'paused', ...current, time: 10, reason: 'user', file: 'ready' },
  previewEnded: { status: 'previewEnded', ...current, reason: 'preview-limit', file: 'ready' },
  starting: { status: 'starting', ...current, time: 10, file: 'ready' },
  crossfading: {
    status: 'crossfading',
    ...current,
    time: 0,
    file: 'ready',
    from: { playback: playing, index: 0 },
  },
  playing,
  buffering: { ...playing, status: 'buffering' },
  recovering: { status: 'recovering', ...current, time: 10 },
  awaitingFullTrack: { status: 'awaitingFullTrack', ...current, track: preview, time: 19 },
};
const statuses = Object.keys(playbacks) as Status[];

/** One event of each type. */
const playbackEvents: { [T in PlaybackEventType]: MachineEvent & { type: T } } = {
  setTrack: { type: 'setTrack', track: next },
  playTracks: { type: 'playTracks', tracks: [next], startIndex: 0, source: 'Library' },
  playTrackAt: { type: 'playTrackAt', index: 1 },
  play: { type: 'play' },
  pause: { type: 'pause' },
  stop: { type: 'stop' },
  togglePlay: { type: 'togglePlay' },
  seek: { type: 'seek', seconds: 5 },
  skipToNext: { type: 'skipToNext' },
  skipToPrevious: { type: 'skipToPrevious' },
  close: { type: 'close' },
  toggleQueue: { type: 'toggleQueue' },
  toggleExpanded: { type: 'toggleExpanded' },
  setSubscriber: { type: 'setSubscriber', isSubscriber: true },
  refreshTrack: { type: 'refreshTrack', track: full },
  restore: { type: 'restore', visit: { currentTrack: full, queue: [full], currentTrackIndex: 0 } },
  loadedmetadata: { type: 'loadedmetadata', duration: 300 },
  durationchange: { type: 'durationchange', duration: 301 },
  timeupdate: { type: 'timeupdate', time: 11 },
  playing: { type: 'playing' },
  paused: { type: 'paused' },
  waiting: { type: 'waiting' },
  canplay: { type: 'canplay' },
  ended: { type: 'ended' },
  error: { type: 'error', reason: 'decode' },
  playFailed: { type: 'playFailed', cause: new Error('not supported') },
  crossfadeFailed: { type: 'crossfadeFailed' },
  retryFailed: { type: 'retryFailed' },
  copyTimedOut: { type: 'copyTimedOut' },
};
const settingsEvents: { [T in SettingsEventType]: MachineEvent & { type: T } } = {
  addToQueue: { type: 'addToQueue', track: preview },
  playNext: { type: 'playNext', track: preview },
  prepare: { type: 'prepare', track: next },
  removeFromQueue: { type: 'removeFromQueue', index: 1 },
  editQueue: {
    type: 'editQueue',
    edit: (queue) => moveInQueue(queue, { from: 2, to: 1, isQueued: true }),
  },
  setQueue: { type: 'setQueue', tracks: [next] },
  clear: { type: 'clear' },
  mute: { type: 'mute' },
  unmute: { type: 'unmute' },
  toggleMute: { type: 'toggleMute' },
  setVolume: { type: 'setVolume', volume: 0.3 },
  setCrossfade: { type: 'setCrossfade', seconds: 6 },
  setDataSaver: { type: 'setDataSaver', isDataSaver: true },
  setSleepTimer: { type: 'setSleepTimer', sleepTimer: { kind: 'end-of-track' } },
};
const eventTypes = Object.keys(playbackEvents) as PlaybackEventType[];

/** The end of the preview exists only for free users; the other samples are a subscriber's. */
const stateOf = (status: Status): MachineState => ({
  ...initialMachineState,
  playback: playbacks[status],
  queue: [full, next],
  currentTrackIndex: status === 'idle' ? -1 : 0,
  isSubscriber: status !== 'previewEnded',
});

type Outcomes = Partial<Record<PlaybackEventType, Status>>;

const picks: Outcomes = {
  setTrack: 'paused',
  playTracks: 'starting',
  playTrackAt: 'starting',
  skipToNext: 'starting',
  close: 'idle',
};
const silent: Outcomes = {
  ...picks,
  play: 'starting',
  togglePlay: 'starting',
  skipToPrevious: 'starting',
};
const active: Outcomes = { ...picks, pause: 'paused', stop: 'paused', togglePlay: 'paused' };
const startRequested: Outcomes = {
  ...active,
  paused: 'paused',
  playing: 'playing',
  ended: 'starting',
  error: 'recovering',
  playFailed: 'starting',
};

/** Where each event leads. An event that isn't listed leaves the status as it is. */
const outcomes: Record<Status, Outcomes> = {
  // Without a current track there is no previous one: the queue has no index to go back from.
  idle: { ...picks, restore: 'paused' },
  paused: { ...silent, playing: 'playing', ended: 'starting' },
  previewEnded: { ...silent, stop: 'paused', seek: 'paused', setSubscriber: 'paused' },
  starting: startRequested,
  crossfading: {
    ...startRequested,
    seek: 'starting',
    skipToPrevious: 'starting',
    crossfadeFailed: 'playing',
  },
  playing: {
    ...active,
    paused: 'paused',
    waiting: 'buffering',
    ended: 'starting',
    error: 'recovering',
  },
  buffering: {
    ...active,
    paused: 'paused',
    playing: 'playing',
    canplay: 'playing',
    timeupdate: 'playing',
    ended: 'starting',
    error: 'recovering',
  },
  recovering: {
    ...active,
    play: 'starting',
    skipToPrevious: 'starting',
    refreshTrack: 'starting',
    copyTimedOut: 'starting',
  },
  awaitingFullTrack: {
    ...silent,
    pause: 'paused',
    stop: 'paused',
    playing: 'playing',
    error: 'starting',
  },
};

const pairs = statuses.flatMap((status) => eventTypes.map((type) => ({ status, type })));

describe('the table of transitions', () => {
  it('has a row for every state and a column for every event', () => {
    expect(Object.keys(playbackTable).toSorted()).toEqual(statuses.toSorted());
    for (const status of statuses)
      expect(Object.keys(playbackTable[status]).toSorted()).toEqual(eventTypes.toSorted());
    expect(Object.keys(settingsTable).toSorted()).toEqual(Object.keys(settingsEvents).toSorted());
  });

  it.each(pairs)('$status × $type leads where it is declared to lead', ({ status, type }) => {
    const { state } = transition(stateOf(status), playbackEvents[type], environment);
    expect(state.playback.status).toBe(outcomes[status][type] ?? status);
  });

  it('changes nothing at all where an event is ignored', () => {
    const ignored = pairs.filter(({ status, type }) => playbackTable[status][type] === ignore);
    expect(ignored.length).toBeGreaterThan(0);
    for (const { status, type } of ignored) {
      const state = stateOf(status);
      const result = transition(state, playbackEvents[type], environment);
      expect(result.state).toBe(state);
      expect(result.effects).toEqual([]);
    }
  });

  it.each(statuses)('leaves playback alone when a setting or the queue changes: %s', (status) => {
    for (const event of Object.values(settingsEvents)) {
      const state = stateOf(status);
      expect(transition(state, event, environment).state.playback).toBe(state.playback);
    }
  });
});

/** Freezes what a transition is given, so that one that writes to it throws. */
function freeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  for (const part of Object.values(value)) freeze(part);
  return Object.freeze(value);
}

const formerQueue: Queue = {
  queue: [full, next],
  currentTrackIndex: 0,
  source: 'Library',
  queuedIds: ['next'],
};
const anyTrack = fc.constantFrom(full, next, preview, buildPreview('full'), buildTrack('preview'));
const anyEvent: fc.Arbitrary<MachineEvent> = fc.oneof(
  fc.constantFrom<MachineEvent>(...Object.values(playbackEvents), ...Object.values(settingsEvents)),
  fc.constantFrom(0, 3.5, 19.9, PREVIEW_SECONDS, 100, 295).map((time) => ({
    type: 'timeupdate' as const,
    time,
  })),
  fc.boolean().map((isSubscriber) => ({ type: 'setSubscriber' as const, isSubscriber })),
  anyTrack.map((track) => ({ type: 'refreshTrack' as const, track })),
  fc.array(anyTrack, { maxLength: 4 }).map((tracks) => ({
    type: 'playTracks' as const,
    tracks,
    startIndex: 0,
    source: 'Library',
  })),
  fc.constant<MachineEvent>({
    type: 'editQueue',
    edit: (queue, currentTrack) =>
      restoreRemoved(queue, { before: formerQueue, indexes: [0, 1] }, currentTrack),
  }),
);

/** What must be true in every state and can't be expressed by types. */
function checkState({ state, effects }: Transition): void {
  const { playback, isSubscriber, queue, currentTrackIndex, queuedIds } = state;
  expect(queue.map(({ id }) => id)).toEqual(expect.arrayContaining([...queuedIds]));
  expect(currentTrackIndex).toBeGreaterThanOrEqual(-1);
  expect(currentTrackIndex).toBeLessThan(Math.max(1, queue.length));
  if (playback.status === 'previewEnded') expect(isSubscriber).toBe(false);
  if (playback.status === 'recovering') expect(playback.track.access).toBe('full');
  if (playback.status === 'awaitingFullTrack') expect(playback.track.access).toBe('preview');
  if (playback.status === 'playing' && !isSubscriber)
    expect(timeOf(playback)).toBeLessThan(PREVIEW_SECONDS);
  // The last command to the output matches the state.
  const orders = effects.map(({ type }) => type);
  const lastOrder = orders.findLast((type) => ['play', 'pause', 'unload', 'load'].includes(type));
  if (lastOrder === 'play') expect(['starting', 'crossfading']).toContain(playback.status);
  if (lastOrder === 'pause' || lastOrder === 'load')
    expect(['paused', 'previewEnded']).toContain(playback.status);
  if (lastOrder === 'unload')
    expect(['idle', 'paused', 'previewEnded', 'recovering']).toContain(playback.status);
}

describe('every transition', () => {
  it('is pure and preserves every invariant, in any order of events', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(anyEvent, fc.boolean(), fc.boolean()), { maxLength: 40, size: 'max' }),
        (steps) => {
          let state: MachineState = freeze({ ...initialMachineState });
          for (const [event, isOnline, canCrossfade] of steps) {
            const world = {
              ...environment,
              isOnline: () => isOnline,
              canCrossfade: () => canCrossfade,
            };
            const result = freeze(transition(state, freeze(event), world));
            expect(transition(state, event, world)).toEqual(result);
            checkState(result);
            state = result.state;
          }
        },
      ),
    );
  });

  it('reports a preview end once, and only for playback that was active', () => {
    for (const status of statuses.filter((each) => each !== 'idle' && each !== 'previewEnded')) {
      const playback = playbacks[status] as CurrentPlayback;
      const state = { ...stateOf(status), isSubscriber: false };
      const { effects } = transition(state, { type: 'seek', seconds: 100 }, environment);
      const announced = effects.filter(({ type }) => type === 'announcePreviewEnd').length;
      expect([status, announced]).toEqual([status, isActive(playback) ? 1 : 0]);
    }
  });
});
