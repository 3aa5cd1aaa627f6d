import { describe, expect, it } from 'vitest';
import { createSleepTimer } from './sleep-timer.ts';
import { createEngineBench } from './testing/engine-bench.ts';
import { makeTrack } from './testing/sample-tracks.ts';

function playWithTimer() {
  const bench = createEngineBench();
  const timer = createSleepTimer(bench.engine.store, bench.clock, bench.engine.pause);
  bench.engine.setSubscriber(true);
  bench.engine.playTracks([makeTrack('a'), makeTrack('b')]);
  bench.sound();
  return { ...bench, timer };
}

describe('the sleep timer', () => {
  it('pauses after the minutes and is then off', () => {
    const { timer, clock, state } = playWithTimer();
    timer.set({ minutes: 15 });
    expect(state().sleepTimer).toEqual({ kind: 'at', endsAt: clock.now() + 900_000 });
    clock.advance(899_999);
    expect(state().isPlaying).toBe(true);
    clock.advance(1);
    expect(state()).toMatchObject({ isPlaying: false, sleepTimer: null });
  });

  it('is replaced by a newer choice and switched off by none', () => {
    const { timer, clock, state } = playWithTimer();
    timer.set({ minutes: 5 });
    timer.set({ minutes: 30 });
    clock.advance(20 * 60_000);
    expect(state().isPlaying).toBe(true);
    timer.set(null);
    expect(clock.pending()).toBe(0);
    expect(state().sleepTimer).toBeNull();
  });

  it('stops at the end of the track instead of going on', () => {
    const { timer, output, state } = playWithTimer();
    timer.set('end-of-track');
    output.emit({ type: 'ended' });
    expect(state()).toMatchObject({
      currentTrackIndex: 0,
      isPlaying: false,
      currentTime: 0,
      sleepTimer: null,
    });
    expect(output.isAskedToPlay).toBe(false);
  });

  it('does not wait for the end of a track that the listener closed', () => {
    const { engine, timer, state } = playWithTimer();
    timer.set('end-of-track');
    engine.close();
    expect(state().sleepTimer).toBeNull();
    timer.set({ minutes: 5 });
    engine.close();
    expect(state().sleepTimer).toMatchObject({ kind: 'at' });
  });

  it.each([0, -3, NaN, Infinity])('is off for %s minutes', (minutes) => {
    const { timer, state } = playWithTimer();
    timer.set({ minutes });
    expect(state().sleepTimer).toBeNull();
  });

  it('leaves no timer behind', () => {
    const { timer, clock } = playWithTimer();
    timer.set({ minutes: 5 });
    timer.dispose();
    expect(clock.pending()).toBe(0);
  });
});
