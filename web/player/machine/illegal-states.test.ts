import { expect, it } from 'vitest';
import { buildTrack } from '#web/testing/build-track.ts';
import {
  CLOSED_PANELS,
  newLoad,
  type Crossfading,
  type Idle,
  type MachineState,
  type Paused,
  type Playing,
  type PreviewEnded,
  type Recovering,
  type Starting,
} from './state.ts';
import { playbackTable, type PlaybackTable } from './transition.ts';

const current = {
  track: buildTrack('a'),
  duration: 300,
  panels: CLOSED_PANELS,
  load: newLoad('', 0),
  failedFrom: null,
};
const silent = { ...current, reason: 'user', file: 'ready' } as const;
const loading = { ...current, time: 0, file: 'loading' } as const;
const paused: Paused = { status: 'paused', ...silent, time: 0 };
const playing: Playing = { status: 'playing', ...current, time: 0 };

/**
 * None of these compiles. The compiler is the test: an expected error that doesn't occur fails the
 * type check.
 */
const illegal: unknown[] = [
  // @ts-expect-error Without a current track no panel is open.
  { status: 'idle', panels: CLOSED_PANELS } satisfies Idle,
  // @ts-expect-error Without a current track there is no time.
  { status: 'idle', time: 10 } satisfies Idle,
  // @ts-expect-error Playback has a track.
  { status: 'playing', ...current, track: null, time: 0 } satisfies Playing,
  // @ts-expect-error Sound without a file.
  { status: 'playing', ...current, time: 0, file: 'none' } satisfies Playing,
  // @ts-expect-error Playing and paused at once.
  { status: 'playing', ...current, time: 0, reason: 'user' } satisfies Playing,
  // @ts-expect-error A start that was requested from an output without a file.
  { status: 'starting', ...current, time: 0, file: 'none' } satisfies Starting,
  // @ts-expect-error Silence without a reason.
  { status: 'paused', ...current, time: 0, file: 'ready' } satisfies Paused,
  // @ts-expect-error At the end of the preview the time is fixed.
  { status: 'previewEnded', ...silent, time: 5 } satisfies PreviewEnded,
  // @ts-expect-error A crossfade without a track to fade from.
  { status: 'crossfading', ...current, time: 0, file: 'loading' } satisfies Crossfading,
  // @ts-expect-error A crossfade from a track that is silent.
  { status: 'crossfading', ...loading, from: { playback: paused, index: 0 } } satisfies Crossfading,
  // @ts-expect-error A file that is loaded while the player waits for a fresh copy of its track.
  { status: 'recovering', ...current, time: 0, file: 'loading' } satisfies Recovering,
];

const { crossfadeFailed: _, ...incompleteRow } = playbackTable.playing;
// @ts-expect-error A row that lacks an event.
export const missingEvent: PlaybackTable['playing'] = incompleteRow;
const { recovering: __, ...incompleteTable } = playbackTable;
// @ts-expect-error A table that lacks a state.
export const missingState: PlaybackTable = incompleteTable;
// @ts-expect-error A handler of a state that has no crossfade to cancel.
export const wrongHandler: PlaybackTable['playing']['ended'] =
  playbackTable.crossfading.crossfadeFailed;
// @ts-expect-error Nothing outside a transition changes the state.
export const write = (state: MachineState) => (state.playback = playing);

it('does not type-check an illegal state', () => {
  expect(illegal).toHaveLength(11);
});
