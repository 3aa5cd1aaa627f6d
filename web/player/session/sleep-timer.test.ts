import { describe, expect, it } from 'vitest';
import { watchSleepTimer } from './sleep-timer.ts';
import { createEngineBench } from '#web/player/testing/engine-bench.ts';
import { buildTrack } from '#web/testing/build-track.ts';

function playWithTimer() {
  const bench = createEngineBench();
  const stopWatching = watchSleepTimer(bench.engine, bench.clock);
  bench.engine.setSubscriber(true);
  bench.engine.playTracks([buildTrack('a'), buildTrack('b')]);
  bench.sound();
  return { ...bench, stopWatching };
}

describe('the sleep timer', () => {
  it('pauses after the minutes and turns itself off', () => {
    const { engine, clock, state } = playWithTimer();
    engine.setSleepTimer({ minutes: 15 });
    expect(state().sleepTimer).toEqual({ kind: 'at', endsAt: clock.now() + 900_000 });
    clock.advance(899_999);
    expect(state().isPlaying).toBe(true);
    clock.advance(1);
    expect(state()).toMatchObject({ isPlaying: false, sleepTimer: null });
  });

  it('is replaced by a newer choice and can be turned off', () => {
    const { engine, clock, state } = playWithTimer();
    engine.setSleepTimer({ minutes: 5 });
    engine.setSleepTimer({ minutes: 30 });
    clock.advance(20 * 60_000);
    expect(state().isPlaying).toBe(true);
    engine.setSleepTimer(null);
    expect(clock.pending()).toBe(0);
    expect(state().sleepTimer).toBeNull();
  });

  it('stops at the end of the track instead of continuing', () => {
    const { engine, output, state } = playWithTimer();
    engine.setSleepTimer('end-of-track');
    output.emit({ type: 'ended' });
    expect(state()).toMatchObject({
      currentTrackIndex: 0,
      isPlaying: false,
      currentTime: 0,
      sleepTimer: null,
    });
    expect(output.isAskedToPlay).toBe(false);
  });

  it('does not wait for the end of a track that was closed', () => {
    const { engine, state } = playWithTimer();
    engine.setSleepTimer('end-of-track');
    engine.close();
    expect(state().sleepTimer).toBeNull();
    engine.setSleepTimer({ minutes: 5 });
    engine.close();
    expect(state().sleepTimer).toMatchObject({ kind: 'at' });
  });

  it.each([0, -3, NaN, Infinity])('is off for %s minutes', (minutes) => {
    const { engine, state } = playWithTimer();
    engine.setSleepTimer({ minutes });
    expect(state().sleepTimer).toBeNull();
  });

  it('leaves no timer behind', () => {
    const { engine, stopWatching, clock } = playWithTimer();
    engine.setSleepTimer({ minutes: 5 });
    stopWatching();
    expect(clock.pending()).toBe(0);
  });
});
