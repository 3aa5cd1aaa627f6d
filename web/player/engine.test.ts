import { describe, expect, it } from 'vitest';
import { createEngineBench } from './testing/engine-bench.ts';
import { makeTrack } from './testing/sample-tracks.ts';

const [a, b, c] = [makeTrack('a'), makeTrack('b'), makeTrack('c')];

function createSubscriberBench() {
  const bench = createEngineBench();
  bench.engine.setSubscriber(true);
  return bench;
}

/** The tracks are queued and the first one sounds. */
function playQueue(...tracks: (typeof a)[]) {
  const bench = createSubscriberBench();
  bench.engine.playTracks(tracks);
  bench.sound();
  return bench;
}

describe('the state at first', () => {
  it('holds what the specification names', () => {
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

  it('has the duration of the file and ends loading when the metadata is there', () => {
    const { engine, state, loadMetadata } = createSubscriberBench();
    engine.setTrack(a);
    loadMetadata(301.5);
    expect(state()).toMatchObject({ duration: 301.5, isLoading: false });
  });

  it('keeps the known duration when a file does not tell its own', () => {
    const { engine, state, loadMetadata } = createSubscriberBench();
    engine.setTrack(a);
    loadMetadata(Infinity);
    expect(state().duration).toBe(300);
  });

  it('takes the smaller file when data is to be saved, where there is one', () => {
    const { engine, output } = createSubscriberBench();
    engine.setDataSaver(true);
    engine.setTrack(a);
    engine.setTrack(makeTrack('d', { dataSaverUrl: null }));
    expect(output.loads).toEqual([a.dataSaverUrl, '/media/d.mp3']);
  });

  it('goes on where the listener had stopped', () => {
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

  it('records each start, and none when playback merely catches up with its data', () => {
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

  it('reaches the output within the call, as a phone demands', () => {
    const { engine, output } = createSubscriberBench();
    engine.playTracks([a]);
    expect(output.calls.slice(-2)).toEqual([`load ${a.fileUrl}`, 'play']);
  });

  it('that fails is not playing and tries the next track of the queue', async () => {
    const { engine, output, state, logs, starts } = createSubscriberBench();
    engine.playTracks([a, b]);
    await output.rejectPlay('NotSupportedError');
    expect(state()).toMatchObject({ currentTrack: b, currentTrackIndex: 1, isStarting: true });
    expect(output.isAskedToPlay).toBe(true);
    expect(logs).toEqual(['Could not start track: Mix a']);
    expect(starts()).toEqual([]);
  });

  it('that fails on the last track stays with it, silent', async () => {
    const { engine, output, state } = createSubscriberBench();
    engine.playTracks([a]);
    await output.rejectPlay('NotSupportedError');
    expect(state()).toMatchObject({ currentTrack: a, isPlaying: false, isStarting: false });
  });

  it('that the browser forbids without a gesture does not run through the queue', async () => {
    const { engine, output, state } = createSubscriberBench();
    engine.playTracks([a, b]);
    await output.rejectPlay('NotAllowedError');
    expect(state()).toMatchObject({ currentTrack: a, isPlaying: false, isStarting: false });
  });

  it('without a current track plays the place the queue stands at', () => {
    const { engine, state } = createSubscriberBench();
    engine.play();
    expect(state().currentTrack).toBeNull();
    engine.setQueue([a, b]);
    engine.play();
    expect(state()).toMatchObject({ currentTrack: a, isStarting: true });
  });

  it('follows playback that the device starts and stops by itself', () => {
    const { output, state } = playQueue(a);
    output.emit({ type: 'pause' });
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
    engine.stop();
    expect(state()).toMatchObject({ isPlaying: false, currentTime: 0, currentTrack: a });
    expect(output.seeks).toEqual([0]);
  });

  it('togglePlay pauses what plays and plays what is paused', () => {
    const { engine, state, output } = playQueue(a);
    engine.togglePlay();
    expect(state().isPlaying).toBe(false);
    engine.togglePlay();
    output.emit({ type: 'playing' });
    expect(state().isPlaying).toBe(true);
  });

  it('togglePlay takes back a start that has not happened yet', async () => {
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
    const { output, state, logs } = playQueue(a, b);
    output.emit({ type: 'error', reason: 'decode' });
    expect(logs).toEqual(['Error playing track: Mix a']);
    expect(state()).toMatchObject({ currentTrack: b, isStarting: true });
  });

  it.each(['ended', 'error'] as const)('%s at the end of the queue stops and resets', (type) => {
    const { engine, output, state } = playQueue(a);
    engine.toggleExpanded();
    output.emit(type === 'error' ? { type, reason: 'network' } : { type });
    expect(state()).toMatchObject({
      currentTrack: null,
      isPlaying: false,
      isLoading: false,
      duration: 0,
      currentTime: 0,
      queue: [],
      currentTrackIndex: -1,
      isExpanded: false,
      isSubscriber: true,
      volume: 0.7,
    });
    expect(output.url).toBeNull();
  });

  it('an error of a file that nobody has paused plays the next track', () => {
    const { engine, output, state } = createSubscriberBench();
    engine.setQueue([a, b]);
    engine.setTrack(a);
    output.emit({ type: 'error', reason: 'not found' });
    expect(state()).toMatchObject({ currentTrack: b, isStarting: true });
  });

  it('an error while the listener has paused goes on without a sound', () => {
    const { engine, output, state } = playQueue(a, b);
    engine.pause();
    output.emit({ type: 'error', reason: 'network' });
    expect(state()).toMatchObject({ currentTrack: b, isStarting: false });
    expect(output.isAskedToPlay).toBe(false);
  });
});

describe('skipToNext', () => {
  it('goes to the next track', () => {
    const { engine, state } = playQueue(a, b);
    engine.skipToNext();
    expect(state()).toMatchObject({ currentTrack: b, currentTrackIndex: 1, isStarting: true });
  });

  it('restarts the current track at the end of the queue', () => {
    const { engine, reach, state, output } = playQueue(a);
    reach(100);
    engine.skipToNext();
    expect(state()).toMatchObject({ currentTrack: a, currentTime: 0, isPlaying: true });
    expect(output.seeks).toEqual([0]);
  });

  it('does nothing where there is nothing', () => {
    const { engine, state } = createSubscriberBench();
    const before = state();
    engine.skipToNext();
    engine.skipToPrevious();
    expect(state()).toBe(before);
  });
});

describe('skipToPrevious', () => {
  it.each([
    { time: 3.1, index: 1, what: 'restarts when more than 3 seconds in' },
    { time: 3, index: 0, what: 'goes to the previous track at 3 seconds' },
  ])('$what', ({ time, index }) => {
    const { engine, reach, state, sound } = playQueue(b, a);
    engine.skipToNext();
    sound();
    reach(time);
    engine.skipToPrevious();
    expect(state()).toMatchObject({ currentTrackIndex: index, currentTime: 0 });
    expect(state().currentTrack).toBe(state().queue[index]);
  });

  it('restarts the first track', () => {
    const { engine, reach, state } = playQueue(a, b);
    reach(2);
    engine.skipToPrevious();
    expect(state()).toMatchObject({ currentTrack: a, currentTime: 0, isPlaying: true });
  });
});

describe('the queue', () => {
  it('playTracks replaces it and plays the first track', () => {
    const { engine, state, sound } = playQueue(a);
    engine.playTracks([b, c]);
    sound();
    expect(state()).toMatchObject({
      queue: [b, c],
      currentTrackIndex: 0,
      currentTrack: b,
      isPlaying: true,
    });
  });

  it('playTracks of an empty list changes nothing', () => {
    const { engine, state } = playQueue(a);
    const before = state();
    engine.playTracks([]);
    expect(state()).toBe(before);
  });

  it.each([-1, 2, 0.5, NaN, Infinity])('playTrackAt ignores %s', (index) => {
    const { engine, state } = playQueue(a, b);
    const before = state();
    engine.playTrackAt(index);
    expect(state()).toBe(before);
  });

  it('playTrackAt plays that place, also of a track that is there twice', () => {
    const { engine, state } = playQueue(a, b, a);
    engine.playTrackAt(2);
    expect(state()).toMatchObject({ currentTrack: a, currentTrackIndex: 2, isStarting: true });
  });

  it('addToQueue appends once', () => {
    const { engine, state } = playQueue(a);
    engine.addToQueue(b);
    engine.addToQueue(b);
    expect(state()).toMatchObject({ queue: [a, b], currentTrackIndex: 0 });
  });

  it('playNext puts a track after the current one, also one that waits elsewhere', () => {
    const { engine, state } = playQueue(a, b, c);
    engine.playTrackAt(1);
    engine.playNext(a);
    expect(state()).toMatchObject({ queue: [b, a, c], currentTrackIndex: 0, currentTrack: b });
    engine.playNext(c);
    expect(state().queue).toEqual([b, c, a]);
    engine.playNext(b);
    expect(state()).toMatchObject({ queue: [b, c, a], currentTrackIndex: 0 });
  });

  it('playNext into an emptied queue is what comes next', () => {
    const { engine, state } = playQueue(a);
    engine.clear();
    engine.playNext(b);
    expect(state()).toMatchObject({ queue: [b], currentTrackIndex: -1, currentTrack: a });
  });

  it('removeFromQueue ignores the current index', () => {
    const { engine, state } = playQueue(a, b);
    engine.removeFromQueue(0);
    expect(state().queue).toEqual([a, b]);
  });

  it('removeFromQueue shifts the index down if an earlier item goes', () => {
    const { engine, state } = playQueue(a, b, c);
    engine.playTrackAt(1);
    engine.removeFromQueue(0);
    expect(state()).toMatchObject({ queue: [b, c], currentTrackIndex: 0, currentTrack: b });
    engine.removeFromQueue(1);
    expect(state()).toMatchObject({ queue: [b], currentTrackIndex: 0 });
  });

  it('setQueue sets index 0, or -1 if the list is empty', () => {
    const { engine, state } = playQueue(a, b);
    engine.setQueue([c]);
    expect(state()).toMatchObject({ queue: [c], currentTrackIndex: 0, currentTrack: a });
    engine.setQueue([]);
    expect(state()).toMatchObject({ queue: [], currentTrackIndex: -1 });
  });

  it('clear empties it while the current track plays on', () => {
    const { engine, state } = playQueue(a, b);
    engine.clear();
    expect(state()).toMatchObject({
      queue: [],
      currentTrackIndex: -1,
      currentTrack: a,
      isPlaying: true,
    });
  });

  it('after clear goes on with what is queued next', () => {
    const { engine, state, output } = playQueue(a, b);
    engine.clear();
    engine.addToQueue(c);
    output.emit({ type: 'ended' });
    expect(state()).toMatchObject({ currentTrack: c, currentTrackIndex: 0 });
  });
});

describe('close', () => {
  it('stops playback and clears the current track; the queue stays', () => {
    const { engine, state, output } = playQueue(a, b);
    engine.toggleQueue();
    engine.close();
    expect(state()).toMatchObject({
      currentTrack: null,
      isPlaying: false,
      currentTrackIndex: -1,
      queue: [a, b],
      isQueueVisible: false,
    });
    expect(output.url).toBeNull();
  });
});

describe('volume', () => {
  it('is set as given, from 0 to 1', () => {
    const { engine, state, output } = createSubscriberBench();
    engine.setVolume(0.333);
    expect(state().volume).toBe(0.333);
    expect(output.volume).toBe(0.333);
    engine.setVolume(7);
    expect(state().volume).toBe(1);
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
  });

  it('unmute after sliding to 0 gives a volume that can be heard', () => {
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
  });

  it('open only when a track is current', () => {
    const { engine, state } = createSubscriberBench();
    engine.toggleQueue();
    engine.toggleExpanded();
    expect(state()).toMatchObject({ isQueueVisible: false, isExpanded: false });
  });
});

describe('snapshots', () => {
  it('stay as they were, and a command without effect makes no new one', () => {
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
