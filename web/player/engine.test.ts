import { describe, expect, it } from 'vitest';
import { createEngineBench } from './testing/engine-bench.ts';
import { createSubscriberBench, playQueue } from './testing/play-queue.ts';
import { buildTrack } from '../testing/build-track.ts';

const [a, b, c] = [buildTrack('a'), buildTrack('b'), buildTrack('c')];

describe('the initial state', () => {
  it('has the fields of the specification', () => {
    expect(createEngineBench().state()).toMatchObject({
      currentTrack: null,
      isPlaying: false,
      duration: 0,
      currentTime: 0,
      volume: 0.7,
      isLoading: false,
      isSubscriber: false,
      isFullTrackAvailable: false,
      queue: [],
      currentTrackIndex: -1,
      isQueueVisible: false,
      isExpanded: false,
      waveformData: null,
    });
  });
});

describe('setTrack', () => {
  it('stops the current audio, resets the time and marks loading', () => {
    const { engine, reach, state, output } = playQueue(a);
    reach(40);
    engine.setTrack(b);
    expect(state()).toMatchObject({
      currentTrack: b,
      isPlaying: false,
      currentTime: 0,
      isLoading: true,
    });
    expect(output.loads).toEqual([a.fileUrl, b.fileUrl]);
    expect(output.isAskedToPlay).toBe(false);
  });

  it('adds the track to the queue if it is absent and sets the index', () => {
    const { engine, state } = playQueue(a);
    engine.setTrack(b);
    expect(state()).toMatchObject({ queue: [a, b], currentTrackIndex: 1 });
  });

  it('finds a track that is in the queue', () => {
    const { engine, state } = playQueue(a, b, c);
    engine.setTrack(b);
    expect(state()).toMatchObject({ queue: [a, b, c], currentTrackIndex: 1 });
  });

  it('sets the duration and ends loading when the metadata arrives', () => {
    const { engine, state, loadMetadata } = createSubscriberBench();
    engine.setTrack(a);
    loadMetadata(301.5);
    expect(state()).toMatchObject({ duration: 301.5, isLoading: false });
  });

  it('keeps the known duration if the file has none', () => {
    const { engine, state, loadMetadata } = createSubscriberBench();
    engine.setTrack(a);
    loadMetadata(Infinity);
    expect(state().duration).toBe(300);
  });

  it('loads the smaller file with data saver on, if there is one', () => {
    const { engine, output } = createSubscriberBench();
    engine.setDataSaver(true);
    engine.setTrack(a);
    engine.setTrack(buildTrack('d', { dataSaverUrl: null }));
    expect(output.loads).toEqual([a.dataSaverUrl, '/media/d.mp3']);
  });

  it('resumes where playback stopped last time', () => {
    const { engine, output, state, loadMetadata } = createEngineBench(() => 120);
    engine.setSubscriber(true);
    engine.setTrack(a);
    expect(state().currentTime).toBe(0);
    loadMetadata();
    expect(output.seeks).toEqual([120]);
  });
});

describe('play', () => {
  it('is playing only once playback has started, and then records the play', () => {
    const { engine, state, starts, loadMetadata, output } = createSubscriberBench();
    engine.setTrack(a);
    engine.play();
    loadMetadata();
    expect(state()).toMatchObject({ isPlaying: false, isStarting: true });
    expect(starts()).toEqual([]);
    output.emit({ type: 'playing' });
    expect(state()).toMatchObject({ isPlaying: true, isStarting: false });
    expect(starts()).toEqual(['a']);
  });

  it('records each start, but not the end of buffering', () => {
    const { engine, output, starts, state } = playQueue(a);
    output.emit({ type: 'waiting' });
    expect(state()).toMatchObject({ isPlaying: true, isBuffering: true });
    output.emit({ type: 'playing' });
    expect(state().isBuffering).toBe(false);
    expect(starts()).toEqual(['a']);
    engine.pause();
    engine.play();
    output.emit({ type: 'playing' });
    expect(starts()).toEqual(['a', 'a']);
  });

  it('reaches the output within the call, as phones require', () => {
    const { engine, output } = createSubscriberBench();
    engine.playTracks([a]);
    expect(output.calls.slice(-2)).toEqual([`load ${a.fileUrl}`, 'play']);
  });

  it('tries the next track of the queue when it fails', async () => {
    const { engine, output, state, logs, starts } = createSubscriberBench();
    engine.playTracks([a, b]);
    await output.rejectPlay('NotSupportedError');
    expect(state()).toMatchObject({
      currentTrack: b,
      currentTrackIndex: 1,
      isPlaying: false,
      isStarting: true,
    });
    expect(output).toMatchObject({ url: b.fileUrl, isAskedToPlay: true });
    expect(logs).toEqual(['Could not start track: Mix a']);
    expect(starts()).toEqual([]);
  });

  it('stays on the last track, paused, when it fails there', async () => {
    const { engine, output, state, failures } = createSubscriberBench();
    engine.playTracks([a]);
    await output.rejectPlay('NotSupportedError');
    expect(state()).toMatchObject({ currentTrack: a, isPlaying: false, isStarting: false });
    expect(failures).toEqual(['a waiting']);
  });

  it('does not skip through the queue when the browser wants a gesture first', async () => {
    const { engine, output, state } = createSubscriberBench();
    engine.playTracks([a, b]);
    await output.rejectPlay('NotAllowedError');
    expect(state()).toMatchObject({ currentTrack: a, isPlaying: false, isStarting: false });
  });

  it('plays the current index of the queue if there is no current track', () => {
    const { engine, state } = createSubscriberBench();
    engine.play();
    expect(state().currentTrack).toBeNull();
    engine.setQueue([a, b]);
    engine.play();
    expect(state()).toMatchObject({ currentTrack: a, isStarting: true });
  });

  it('follows a device that starts and stops by itself', () => {
    const { output, state } = playQueue(a);
    output.emit({ type: 'paused' });
    expect(state().isPlaying).toBe(false);
    output.emit({ type: 'playing' });
    expect(state().isPlaying).toBe(true);
  });
});

describe('pause, stop and togglePlay', () => {
  it('pause keeps the time, stop also resets it to 0', () => {
    const { engine, reach, state, output } = playQueue(a);
    reach(40);
    engine.pause();
    expect(state()).toMatchObject({ isPlaying: false, currentTime: 40, currentTrack: a });
    expect(output.isAskedToPlay).toBe(false);
    engine.play();
    output.emit({ type: 'playing' });
    engine.stop();
    expect(state()).toMatchObject({ isPlaying: false, currentTime: 0, currentTrack: a });
    expect(output).toMatchObject({ isAskedToPlay: false, seeks: [0] });
  });

  it('togglePlay pauses and resumes', () => {
    const { engine, state, output } = playQueue(a);
    engine.togglePlay();
    expect(state().isPlaying).toBe(false);
    expect(output.isAskedToPlay).toBe(false);
    engine.togglePlay();
    expect(output.isAskedToPlay).toBe(true);
    output.emit({ type: 'playing' });
    expect(state().isPlaying).toBe(true);
  });

  it('togglePlay cancels a start that has not happened yet', async () => {
    const { engine, state, output, loadMetadata, logs } = createSubscriberBench();
    engine.playTracks([a, b]);
    engine.togglePlay();
    loadMetadata();
    await output.rejectPlay('AbortError');
    expect(state()).toMatchObject({ currentTrack: a, isPlaying: false, isStarting: false });
    expect(logs).toEqual([]);
  });
});

describe('when a track ends or errors', () => {
  it('the next queue track plays', () => {
    const { output, state, starts, sound } = playQueue(a, b);
    output.emit({ type: 'ended' });
    sound();
    expect(state()).toMatchObject({ currentTrack: b, currentTrackIndex: 1, isPlaying: true });
    expect(starts()).toEqual(['a', 'b']);
  });

  it('an error is logged with the title and the next track plays', () => {
    const { engine, output, state, logs, failures } = createSubscriberBench();
    engine.playTracks([a, b]);
    output.emit({ type: 'error', reason: 'decode' });
    expect(logs).toEqual(['Error playing track: Mix a']);
    expect(failures).toEqual(['a skipped']);
    expect(state()).toMatchObject({ currentTrack: b, isStarting: true });
  });

  it.each(['ended', 'error'] as const)('%s at the end of the queue stops and resets', (type) => {
    const { engine, output, state, sound, reach, failures } = createSubscriberBench();
    engine.playTracks([a]);
    engine.toggleExpanded();
    engine.toggleQueue();
    if (type === 'ended') {
      sound();
      reach(300);
    }
    output.emit(type === 'error' ? { type, reason: 'not found' } : { type });
    expect(state()).toMatchObject({
      currentTrack: null,
      isPlaying: false,
      isLoading: false,
      duration: 0,
      currentTime: 0,
      queue: [],
      currentTrackIndex: -1,
      isExpanded: false,
      isQueueVisible: false,
      isSubscriber: true,
      volume: 0.7,
    });
    expect(output).toMatchObject({ url: null, isAskedToPlay: false });
    expect(failures).toEqual(type === 'error' ? ['a stopped'] : []);
  });

  it('an error plays the next track unless the user has paused', () => {
    const { engine, output, state } = createSubscriberBench();
    engine.setQueue([a, b]);
    engine.setTrack(a);
    output.emit({ type: 'error', reason: 'not found' });
    expect(state()).toMatchObject({ currentTrack: b, isStarting: true });
  });

  it('an error while paused moves to the next track silently', () => {
    const { engine, output, state } = createSubscriberBench();
    engine.playTracks([a, b]);
    engine.pause();
    output.emit({ type: 'error', reason: 'not found' });
    expect(state()).toMatchObject({ currentTrack: b, isStarting: false });
    expect(output.isAskedToPlay).toBe(false);
  });
});

describe('snapshots', () => {
  it('are immutable, and a command without effect creates no new one', () => {
    const { engine, state, reach } = playQueue(a);
    const before = state();
    engine.play();
    engine.setVolume(0.7);
    expect(state()).toBe(before);
    reach(5);
    expect(before.currentTime).toBe(0);
    expect(state().queue).toBe(before.queue);
  });
});
