import { describe, expect, it } from 'vitest';
import { moveInQueue, restoreRemoved } from './machine/queue-edits.ts';
import { createSubscriberBench, playQueue } from './testing/play-queue.ts';
import { buildTrack } from '../testing/build-track.ts';

const [a, b, c] = [buildTrack('a'), buildTrack('b'), buildTrack('c')];

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

  it('does nothing without a queue', () => {
    const { engine, state } = createSubscriberBench();
    const before = state();
    engine.skipToNext();
    engine.skipToPrevious();
    expect(state()).toBe(before);
  });
});

describe('skipToPrevious', () => {
  it.each([
    { time: 3.001, index: 1, what: 'restarts when more than 3 seconds in' },
    { time: 3, index: 0, what: 'goes to the previous track at 3 seconds' },
  ])('$what', ({ time, index }) => {
    const { engine, reach, state, sound, output } = playQueue(b, a);
    engine.skipToNext();
    sound();
    reach(time);
    engine.skipToPrevious();
    expect(state()).toMatchObject({ currentTrackIndex: index, currentTime: 0 });
    expect(state().currentTrack).toBe(state().queue[index]);
    expect(output).toMatchObject({ url: state().currentTrack?.fileUrl, isAskedToPlay: true });
    expect(output.seeks).toEqual(index === 1 ? [0] : []);
  });

  it('restarts the first track', () => {
    const { engine, reach, state, output } = playQueue(a, b);
    reach(2);
    engine.skipToPrevious();
    expect(state()).toMatchObject({ currentTrack: a, currentTime: 0, isPlaying: true });
    expect(output.seeks).toEqual([0]);
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

  it('playTrackAt plays that index, even if the track is queued twice', () => {
    const { engine, state } = playQueue(a, b, a);
    engine.playTrackAt(2);
    expect(state()).toMatchObject({ currentTrack: a, currentTrackIndex: 2, isStarting: true });
  });

  it('addToQueue adds a track once; adding it again moves it behind the others', () => {
    const { engine, state } = playQueue(a);
    for (const track of [b, c, b, a]) engine.addToQueue(track);
    expect(state()).toMatchObject({ queue: [a, c, b], currentTrackIndex: 0 });
  });

  it('addToQueue puts a track before the rest of the list that plays', () => {
    const { engine, state } = playQueue();
    engine.playTracks([a, b], 0, 'Library');
    engine.addToQueue(c);
    expect(state()).toMatchObject({ queue: [a, c, b], source: 'Library', queuedIds: ['c'] });
    engine.playTracks([b, a], 1, 'Top 20');
    expect(state()).toMatchObject({ queue: [b, a], source: 'Top 20', queuedIds: [] });
  });

  it('an edit changes the order of what comes next', () => {
    const { engine, state } = playQueue(a, b, c);
    engine.editQueue((queue) => moveInQueue(queue, { from: 2, to: 1, isQueued: true }));
    expect(state()).toMatchObject({ queue: [a, c, b], currentTrackIndex: 0 });
  });

  it('an edit undoes clear, even after playback has moved on', () => {
    const { engine, state, output } = playQueue(a, b);
    const before = state();
    engine.clear();
    engine.addToQueue(c);
    output.emit({ type: 'ended' });
    engine.editQueue((queue, current) =>
      restoreRemoved(queue, { before, indexes: [0, 1] }, current),
    );
    expect(state()).toMatchObject({ queue: [a, c, b], currentTrackIndex: 1, currentTrack: c });
  });

  it('playNext moves or adds a track right after the current one', () => {
    const { engine, state } = playQueue(a, b, c);
    engine.playTrackAt(1);
    engine.playNext(a);
    expect(state()).toMatchObject({ queue: [b, a, c], currentTrackIndex: 0, currentTrack: b });
    engine.playNext(c);
    expect(state().queue).toEqual([b, c, a]);
    engine.playNext(b);
    expect(state()).toMatchObject({ queue: [b, c, a], currentTrackIndex: 0 });
  });

  it('playNext after clear becomes the next track', () => {
    const { engine, state } = playQueue(a);
    engine.clear();
    engine.playNext(b);
    expect(state()).toMatchObject({ queue: [b], currentTrackIndex: -1, currentTrack: a });
  });

  it('removeFromQueue ignores the current index', () => {
    const { engine, state } = playQueue(a, b);
    engine.playTrackAt(1);
    const before = state();
    engine.removeFromQueue(1);
    expect(state()).toBe(before);
  });

  it('removeFromQueue shifts the index down if an earlier item is removed', () => {
    const { engine, state } = playQueue(a, b, c);
    engine.playTrackAt(1);
    engine.removeFromQueue(0);
    expect(state()).toMatchObject({ queue: [b, c], currentTrackIndex: 0, currentTrack: b });
    engine.removeFromQueue(1);
    expect(state()).toMatchObject({ queue: [b], currentTrackIndex: 0 });
  });

  it('setQueue sets index 0, or -1 if the list is empty', () => {
    const { engine, state } = playQueue(b, a);
    engine.playTrackAt(1);
    engine.setQueue([c]);
    expect(state()).toMatchObject({ queue: [c], currentTrackIndex: 0, currentTrack: a });
    engine.setQueue([]);
    expect(state()).toMatchObject({ queue: [], currentTrackIndex: -1 });
  });

  it('clear empties it while the current track keeps playing', () => {
    const { engine, state } = playQueue(a, b);
    engine.clear();
    expect(state()).toMatchObject({
      queue: [],
      currentTrackIndex: -1,
      currentTrack: a,
      isPlaying: true,
    });
  });

  it('continues with what is queued after clear', () => {
    const { engine, state, output } = playQueue(a, b);
    engine.clear();
    engine.addToQueue(c);
    output.emit({ type: 'ended' });
    expect(state()).toMatchObject({ currentTrack: c, currentTrackIndex: 0 });
  });
});

describe('close', () => {
  it('stops playback and clears the current track and the queue', () => {
    const { engine, state, output } = playQueue(a, b);
    engine.toggleQueue();
    engine.close();
    expect(output.isAskedToPlay).toBe(false);
    expect(state()).toMatchObject({
      currentTrack: null,
      isPlaying: false,
      currentTrackIndex: -1,
      queue: [],
      isQueueVisible: false,
    });
    expect(output.url).toBeNull();
  });

  it('leaves nothing behind that a later undo or track brings back', () => {
    const { engine, state } = playQueue(a, b);
    const before = state();
    engine.removeFromQueue(1);
    engine.close();
    engine.editQueue((queue, current) => restoreRemoved(queue, { before, indexes: [1] }, current));
    expect(state().queue).toEqual([]);
    engine.setTrack(c);
    expect(state()).toMatchObject({ queue: [c], currentTrackIndex: 0, source: null });
  });
});
