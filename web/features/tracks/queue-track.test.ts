import { describe, expect, it } from 'vitest';
import { createEngineBench } from '#web/player/testing/engine-bench.ts';
import { buildTrack } from '#web/testing/build-track.ts';
import { queueTrack } from './queue-track.ts';

const a = buildTrack('a');
const b = buildTrack('b');
const c = buildTrack('c');

describe.each(['addToQueue', 'playNext'] as const)('%s with nothing playing', (put) => {
  it('makes the track the current one, paused', () => {
    const { engine, state, loadMetadata } = createEngineBench();
    queueTrack(engine, a, put);
    loadMetadata();
    expect(state()).toMatchObject({ currentTrack: a, queue: [a], currentTrackIndex: 0 });
    expect(state()).toMatchObject({ isPlaying: false, isStarting: false, isLoading: false });
    engine.toggleQueue();
    expect(state().isQueueVisible).toBe(true);
  });

  it('does not bring back the queue of a closed player', () => {
    const { engine, state, sound } = createEngineBench();
    engine.playTracks([a, b]);
    sound();
    engine.close();
    queueTrack(engine, c, put);
    expect(state()).toMatchObject({ currentTrack: c, queue: [c], currentTrackIndex: 0 });
  });

  it('does not start another track when the file fails', () => {
    const { engine, state, output } = createEngineBench();
    queueTrack(engine, a, put);
    queueTrack(engine, b, put);
    output.emit({ type: 'error', reason: 'no audio' });
    expect(state()).toMatchObject({ currentTrack: b, isPlaying: false, isStarting: false });
  });
});

describe('with a current track', () => {
  it('queues further tracks next or at the end', () => {
    const { engine, state } = createEngineBench();
    for (const track of [a, b]) queueTrack(engine, track, 'addToQueue');
    queueTrack(engine, c, 'playNext');
    expect(state()).toMatchObject({ currentTrack: a, queue: [a, c, b], currentTrackIndex: 0 });
  });
});
