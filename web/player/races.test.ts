import { describe, expect, it } from 'vitest';
import type { AudioEvent } from './audio/audio-output.ts';
import { createEngineBench } from './testing/engine-bench.ts';
import { buildTrack } from '../testing/build-track.ts';
import { settle } from './testing/simulated-output.ts';

const [a, b] = [buildTrack('a'), buildTrack('b')];

const LATE: AudioEvent[] = [
  { type: 'loadedmetadata', duration: 9 },
  { type: 'durationchange', duration: 9 },
  { type: 'timeupdate', time: 9 },
  { type: 'playing' },
  { type: 'paused' },
  { type: 'waiting' },
  { type: 'canplay' },
  { type: 'ended' },
  { type: 'error', reason: 'late' },
];

function createSubscriberBench() {
  const bench = createEngineBench();
  bench.engine.setSubscriber(true);
  return bench;
}

describe('a late event of an earlier load', () => {
  it.each(LATE)('$type changes nothing in a later load', (event) => {
    const { engine, output, state, sound, logs } = createSubscriberBench();
    engine.playTracks([a, b]);
    const earlier = output.generation;
    sound();
    engine.skipToNext();
    const loading = state();
    output.emit(event, earlier);
    expect(state()).toBe(loading);
    sound();
    const playing = state();
    output.emit(event, earlier);
    expect(state()).toBe(playing);
    expect(logs).toEqual([]);
  });

  it.each(LATE)('$type changes nothing after close', (event) => {
    const { engine, output, state, sound } = createSubscriberBench();
    engine.playTracks([a, b]);
    sound();
    engine.close();
    const closed = state();
    output.emit(event);
    expect(state()).toBe(closed);
  });

  it('a start that the next track interrupts is not a failure', async () => {
    const { engine, state, logs } = createSubscriberBench();
    engine.playTracks([a, b]);
    engine.skipToNext();
    await settle();
    expect(state()).toMatchObject({ currentTrack: b, isStarting: true });
    expect(logs).toEqual([]);
  });

  it('a start that was paused and requested again waits for the second request', async () => {
    const { engine, state } = createSubscriberBench();
    engine.playTracks([a]);
    engine.pause();
    engine.play();
    await settle();
    expect(state()).toMatchObject({ currentTrack: a, isStarting: true });
  });

  it('a broken file is skipped once, although both the file and the start report it', async () => {
    const { engine, output, state } = createSubscriberBench();
    engine.playTracks([a, b, buildTrack('c')]);
    output.emit({ type: 'error', reason: 'not supported' });
    await settle();
    expect(state()).toMatchObject({ currentTrack: b, currentTrackIndex: 1, isStarting: true });
  });
});
