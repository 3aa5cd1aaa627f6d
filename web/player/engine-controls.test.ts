import { describe, expect, it } from 'vitest';
import { createSubscriberBench, playQueue } from './testing/play-queue.ts';
import { buildTrack } from '../testing/build-track.ts';

const a = buildTrack('a');

describe('volume', () => {
  it('is set as given, from 0 to 1', () => {
    const { engine, state, output } = createSubscriberBench();
    for (const volume of [0.333, 0, 1, 0.01]) {
      engine.setVolume(volume);
      expect(state().volume).toBe(volume);
      expect(output.volume).toBe(volume);
    }
    engine.setVolume(-1);
    expect(state().volume).toBe(0);
    engine.setVolume(7);
    expect(state().volume).toBe(1);
    expect(output.volume).toBe(1);
    engine.setVolume(NaN);
    expect(state().volume).toBe(1);
  });

  it('mute stores the prior volume and unmute restores it', () => {
    const { engine, state, output } = createSubscriberBench();
    engine.setVolume(0.4);
    engine.mute();
    engine.mute();
    expect(state().volume).toBe(0);
    expect(output.volume).toBe(0);
    engine.unmute();
    expect(state().volume).toBe(0.4);
    expect(output.volume).toBe(0.4);
  });

  it('unmute after sliding to 0 restores an audible volume', () => {
    const { engine, state } = createSubscriberBench();
    engine.setVolume(0);
    engine.toggleMute();
    expect(state().volume).toBe(0.7);
  });
});

describe('the panels', () => {
  it('toggle independently', () => {
    const { engine, state } = playQueue(a);
    engine.toggleQueue();
    expect(state()).toMatchObject({ isQueueVisible: true, isExpanded: false });
    engine.toggleExpanded();
    expect(state()).toMatchObject({ isQueueVisible: true, isExpanded: true });
    engine.toggleQueue();
    expect(state()).toMatchObject({ isQueueVisible: false, isExpanded: true });
    engine.toggleQueue();
    engine.toggleExpanded();
    expect(state()).toMatchObject({ isQueueVisible: true, isExpanded: false });
  });

  it('open only when a track is current', () => {
    const { engine, state } = createSubscriberBench();
    engine.toggleQueue();
    engine.toggleExpanded();
    expect(state()).toMatchObject({ isQueueVisible: false, isExpanded: false });
  });
});
