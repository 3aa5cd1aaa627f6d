import { describe, expect, it } from 'vitest';
import { COPY_TIMEOUT_MS } from './engine.ts';
import { createSubscriberBench, playQueue } from './testing/play-queue.ts';
import { buildPreview, buildTrack } from '../testing/build-track.ts';

const [a, b, c] = [buildTrack('a'), buildTrack('b'), buildTrack('c')];
const error = { type: 'error', reason: 'network' } as const;

/** The first of the tracks is heard up to this second. */
function listenTo(seconds: number, ...tracks: (typeof a)[]) {
  const bench = playQueue(...tracks);
  bench.reach(seconds);
  return bench;
}

describe('a file that fails after it has sounded', () => {
  it('is loaded again at the same second, from the address the server gives now', () => {
    const { engine, output, state, sound, freshTrackRequests } = listenTo(100, a, b);
    output.emit(error);
    expect(freshTrackRequests).toEqual(['a']);
    expect(state()).toMatchObject({ currentTrack: a, currentTime: 100, isStarting: true });
    const moved = { ...a, fileUrl: '/media/a-moved.mp3' };
    engine.refreshTrack(moved);
    expect(output).toMatchObject({ url: moved.fileUrl, isAskedToPlay: true });
    sound();
    expect(output.seeks).toEqual([100]);
    expect(state()).toMatchObject({ currentTrack: moved, currentTime: 100, isPlaying: true });
  });

  it('is loaded again where no answer comes', () => {
    const { clock, output } = listenTo(100, a, b);
    output.emit(error);
    clock.advance(COPY_TIMEOUT_MS);
    expect(output).toMatchObject({ url: a.fileUrl, isAskedToPlay: true });
    expect(clock.pending()).toBe(0);
  });

  it('is skipped when it fails there once more', () => {
    const { clock, output, state } = listenTo(100, a, b);
    output.emit(error);
    clock.advance(COPY_TIMEOUT_MS);
    output.emit(error);
    expect(state()).toMatchObject({ currentTrack: b, isStarting: true });
  });

  it('gets another chance at another place', () => {
    const { clock, output, state, sound, reach } = listenTo(100, a, b);
    output.emit(error);
    clock.advance(COPY_TIMEOUT_MS);
    sound();
    reach(160);
    output.emit(error);
    expect(state()).toMatchObject({ currentTrack: a, currentTime: 160, isStarting: true });
  });

  it('waits for play while the listener has paused', () => {
    const { engine, clock, output, state, sound } = listenTo(100, a, b);
    engine.pause();
    output.emit(error);
    clock.advance(COPY_TIMEOUT_MS);
    expect(output.url).toBeNull();
    expect(state()).toMatchObject({ currentTrack: a, currentTime: 100, isStarting: false });
    engine.play();
    sound();
    expect(output.seeks).toEqual([100]);
  });

  it('stays silent when the listener pauses while it waits', () => {
    const { engine, clock, output, state } = listenTo(100, a);
    output.emit(error);
    engine.pause();
    clock.advance(COPY_TIMEOUT_MS);
    expect(output.url).toBeNull();
    expect(state()).toMatchObject({ currentTrack: a, isStarting: false });
  });

  it('ends in the preview for somebody whose subscription is over', () => {
    const { engine, clock, output, state, previewEnds } = listenTo(100, a, b);
    output.emit(error);
    engine.refreshTrack(buildPreview('a'));
    expect(state()).toMatchObject({ currentTrack: a, currentTime: 100 });
    engine.setSubscriber(false);
    expect(previewEnds).toEqual(['a']);
    clock.advance(COPY_TIMEOUT_MS);
    expect(state()).toMatchObject({
      currentTrack: buildPreview('a'),
      currentTime: 20,
      isStarting: false,
      currentTrackIndex: 0,
    });
  });
});

describe('without a connection', () => {
  it('stays where it is with the queue, says so, and play tries again', () => {
    const { engine, device, output, state, sound } = listenTo(100, a, b);
    device.isOnline = false;
    output.emit(error);
    const kept = { currentTrack: a, currentTime: 100, queue: [a, b], currentTrackIndex: 0 };
    expect(state()).toMatchObject({ ...kept, isPlaying: false, isStarting: false });
    expect(device.halts).toBe(1);
    engine.play();
    output.emit(error);
    expect(state()).toMatchObject(kept);
    device.isOnline = true;
    engine.play();
    sound();
    expect(output.seeks).toEqual([100]);
    expect(state()).toMatchObject({ ...kept, isPlaying: true });
  });

  it('keeps the second that a track was to begin at', () => {
    const { engine, device, output, state } = createSubscriberBench(() => 60);
    device.isOnline = false;
    engine.playTracks([a]);
    output.emit(error);
    expect(state()).toMatchObject({ currentTrack: a, currentTime: 60, isLoading: false });
  });

  it('does not run through the queue when starts are refused', async () => {
    const { engine, device, output, state } = createSubscriberBench();
    device.isOnline = false;
    engine.playTracks([a, b]);
    await output.rejectPlay('NotSupportedError');
    expect(state()).toMatchObject({ currentTrack: a, queue: [a, b], isStarting: false });
  });
});

describe('where one file after the other fails', () => {
  it('is back where that began once there is nothing left to try', () => {
    const { clock, device, engine, output, state, sound } = listenTo(100, a, b, c);
    output.emit(error);
    clock.advance(COPY_TIMEOUT_MS);
    for (const track of [a, b, c]) {
      expect(state().currentTrack).toBe(track);
      output.emit(error);
    }
    expect(state()).toMatchObject({
      currentTrack: a,
      currentTime: 100,
      duration: 300,
      queue: [a, b, c],
      currentTrackIndex: 0,
      isStarting: false,
      isLoading: false,
    });
    expect([output.url, device.halts]).toEqual([null, 1]);
    engine.play();
    sound();
    expect(output.seeks.at(-1)).toBe(100);
  });

  it('does the same where the device refuses each', async () => {
    const { engine, output, state } = createSubscriberBench();
    engine.playTracks([a, b]);
    await output.rejectPlay('NotSupportedError');
    await output.rejectPlay('NotSupportedError');
    expect(state()).toMatchObject({ currentTrack: a, currentTrackIndex: 0, isStarting: false });
  });

  it('forgets those that failed as soon as one sounds', () => {
    const { engine, output, state, sound } = createSubscriberBench();
    engine.playTracks([a, b, c]);
    output.emit(error);
    sound();
    output.emit({ type: 'ended' });
    output.emit(error);
    expect(state()).toMatchObject({ currentTrack: null, queue: [] });
  });

  it('does not go back behind what the listener has picked since', () => {
    const { engine, output, state } = createSubscriberBench();
    engine.playTracks([a, b, c]);
    output.emit(error);
    engine.playTrackAt(1);
    output.emit(error);
    output.emit(error);
    expect(state()).toMatchObject({ currentTrack: b, currentTrackIndex: 1 });
  });
});
