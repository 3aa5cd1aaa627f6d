import { describe, expect, it } from 'vitest';
import { COPY_TIMEOUT_MS } from './engine.ts';
import { createSubscriberBench, playQueue } from './testing/play-queue.ts';
import { buildPreview, buildTrack } from '../testing/build-track.ts';

const [a, b, c] = [buildTrack('a'), buildTrack('b'), buildTrack('c')];
const error = { type: 'error', reason: 'network' } as const;

/** Plays the first of the tracks up to this second. */
function listenTo(seconds: number, ...tracks: (typeof a)[]) {
  const bench = playQueue(...tracks);
  bench.reach(seconds);
  return bench;
}

it('waits where it is while there is nothing to hear it with, and says so', () => {
  const { engine, output, state, failures, freshTrackRequests } = listenTo(100, a, b);
  output.emit({ type: 'error', reason: 'OnMediaSinkAudioError', hasNoDevice: true });
  expect(failures).toEqual(['a no-device']);
  expect(freshTrackRequests).toEqual([]);
  expect(state()).toMatchObject({ currentTrack: a, currentTime: 100, isPlaying: false });
  expect(output.url).toBeNull();
  engine.play();
  expect(output).toMatchObject({ url: a.fileUrl, isAskedToPlay: true });
});

describe('a file that fails after it has played', () => {
  it('is loaded again at the same second, from the current URL', () => {
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

  it('is loaded again if no response arrives', () => {
    const { clock, output } = listenTo(100, a, b);
    output.emit(error);
    clock.advance(COPY_TIMEOUT_MS);
    expect(output).toMatchObject({ url: a.fileUrl, isAskedToPlay: true });
    expect(clock.pending()).toBe(0);
  });

  it('is skipped if it fails there again', () => {
    const { clock, output, state } = listenTo(100, a, b);
    output.emit(error);
    clock.advance(COPY_TIMEOUT_MS);
    output.emit(error);
    expect(state()).toMatchObject({ currentTrack: b, isStarting: true });
  });

  it('stops and resets if it fails there again and nothing follows', () => {
    const { clock, output, state } = listenTo(100, a);
    output.emit(error);
    clock.advance(COPY_TIMEOUT_MS);
    expect(state()).toMatchObject({ currentTrack: a, isStarting: true });
    output.emit(error);
    const nothing = { currentTrack: null, currentTime: 0, queue: [], currentTrackIndex: -1 };
    expect(state()).toMatchObject({ ...nothing, isPlaying: false, isStarting: false });
  });

  it('gets another chance at another position', () => {
    const { clock, output, state, sound, reach } = listenTo(100, a, b);
    output.emit(error);
    clock.advance(COPY_TIMEOUT_MS);
    sound();
    reach(160);
    output.emit(error);
    expect(state()).toMatchObject({ currentTrack: a, currentTime: 160, isStarting: true });
  });

  it('waits for play while paused', () => {
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

  it('stays silent if the user pauses while it waits', () => {
    const { engine, clock, output, state } = listenTo(100, a);
    output.emit(error);
    engine.pause();
    clock.advance(COPY_TIMEOUT_MS);
    expect(output.url).toBeNull();
    expect(state()).toMatchObject({ currentTrack: a, isStarting: false });
  });

  it('becomes a preview if the subscription has ended', () => {
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
  it('stops with the queue intact, announces it, and play tries again', () => {
    const { engine, device, output, state, sound, failures } = listenTo(100, a, b);
    device.isOnline = false;
    output.emit(error);
    const position = { currentTrack: a, currentTime: 100, queue: [a, b], currentTrackIndex: 0 };
    expect(state()).toMatchObject({ ...position, isPlaying: false, isStarting: false });
    expect(failures).toEqual(['a waiting']);
    engine.play();
    output.emit(error);
    expect(state()).toMatchObject(position);
    device.isOnline = true;
    engine.play();
    sound();
    expect(output.seeks).toEqual([100]);
    expect(state()).toMatchObject({ ...position, isPlaying: true });
  });

  it('keeps the second at which a track was to resume', () => {
    const { engine, device, output, state } = createSubscriberBench(() => 60);
    device.isOnline = false;
    engine.playTracks([a]);
    output.emit(error);
    expect(state()).toMatchObject({ currentTrack: a, currentTime: 60, isLoading: false });
  });

  it('goes on by itself when files can be loaded again', () => {
    const { engine, device, output, state, sound } = listenTo(100, a, b);
    device.isOnline = false;
    output.emit(error);
    device.isOnline = true;
    engine.retryFailed();
    expect(state()).toMatchObject({ currentTrack: a, isStarting: true });
    sound();
    expect(output.seeks).toEqual([100]);
    expect(state()).toMatchObject({ currentTrack: a, currentTime: 100, isPlaying: true });
  });

  it('stays silent if the listener paused before or meanwhile', () => {
    const { engine, device, output, state } = listenTo(100, a, b);
    device.isOnline = false;
    output.emit(error);
    engine.pause();
    engine.retryFailed();
    expect(state()).toMatchObject({ currentTrack: a, isStarting: false, isPlaying: false });
    const { engine: other, state: stateOfOther } = listenTo(10, a);
    other.pause();
    other.retryFailed();
    expect(stateOfOther()).toMatchObject({ isStarting: false, isPlaying: false });
  });

  it('does not skip through the queue when starts fail', async () => {
    const { engine, device, output, state } = createSubscriberBench();
    device.isOnline = false;
    engine.playTracks([a, b]);
    await output.rejectPlay('NotSupportedError');
    expect(state()).toMatchObject({ currentTrack: a, queue: [a, b], isStarting: false });
  });
});

describe('when one file after another fails', () => {
  it('returns to where it began once nothing is left to try', () => {
    const { clock, failures, engine, output, state, sound } = listenTo(100, a, b, c);
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
    expect(output.url).toBeNull();
    expect(failures).toEqual(['a skipped', 'then b skipped', 'then c waiting']);
    engine.play();
    sound();
    expect(output.seeks.at(-1)).toBe(100);
  });

  it('does the same if each start fails', async () => {
    const { engine, output, state, failures } = createSubscriberBench();
    engine.playTracks([a, b]);
    await output.rejectPlay('NotSupportedError');
    await output.rejectPlay('NotSupportedError');
    expect(state()).toMatchObject({ currentTrack: a, currentTrackIndex: 0, isStarting: false });
    expect(failures).toEqual(['a skipped', 'then b waiting']);
  });

  it('forgets the failures as soon as a track plays', () => {
    const { engine, output, state, sound } = createSubscriberBench();
    engine.playTracks([a, b, c]);
    output.emit(error);
    sound();
    output.emit({ type: 'ended' });
    output.emit(error);
    expect(state()).toMatchObject({ currentTrack: null, queue: [] });
  });

  it('does not return past what the user has picked since', () => {
    const { engine, output, state } = createSubscriberBench();
    engine.playTracks([a, b, c]);
    output.emit(error);
    engine.playTrackAt(1);
    output.emit(error);
    output.emit(error);
    expect(state()).toMatchObject({ currentTrack: b, currentTrackIndex: 1 });
  });
});
