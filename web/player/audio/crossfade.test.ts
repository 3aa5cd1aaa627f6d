import { describe, expect, it } from 'vitest';
import { dueCrossfade, fadeGains, limitCrossfade } from './crossfade.ts';
import { createEngineBench } from '#web/player/testing/engine-bench.ts';
import { buildPreview, buildTrack } from '#web/testing/build-track.ts';

const [a, b] = [buildTrack('a'), buildTrack('b')];

function playWithCrossfade(next = b, isSubscriber = true) {
  const bench = createEngineBench();
  bench.engine.setSubscriber(isSubscriber);
  bench.engine.setVolume(0.5);
  bench.engine.setCrossfade(10);
  bench.engine.playTracks([a, next]);
  bench.sound();
  return bench;
}

/** The next track has risen on the second output. */
function startNext({ spare }: ReturnType<typeof playWithCrossfade>) {
  spare.emit({ type: 'loadedmetadata', duration: 300 });
  spare.emit({ type: 'playing' });
}

describe('crossfade', () => {
  it('is off by default, and at most 12 seconds', () => {
    expect(createEngineBench().state().crossfadeSeconds).toBe(0);
    expect([
      limitCrossfade(-1),
      limitCrossfade(6),
      limitCrossfade(99),
      limitCrossfade(NaN),
    ]).toEqual([0, 6, 12, 0]);
  });

  it('starts the next track before the current one ends', () => {
    const bench = playWithCrossfade();
    bench.reach(289);
    expect(bench.spare.loads).toEqual([]);
    bench.reach(290);
    expect(bench.spare.loads).toEqual([b.fileUrl]);
    expect(bench.state()).toMatchObject({ currentTrack: b, currentTrackIndex: 1 });
    expect(bench.output.url).toBe(a.fileUrl);
    expect([bench.output.volume, bench.spare.volume]).toEqual([0.5, 0]);
  });

  it('fades the old track only once the new one plays, then unloads it', () => {
    const bench = playWithCrossfade();
    bench.reach(290);
    bench.clock.advance(3000);
    expect(bench.output.volume).toBe(0.5);
    startNext(bench);
    bench.clock.advance(5000);
    expect(bench.output.volume).toBeCloseTo(0.5 * Math.SQRT1_2);
    expect(bench.spare.volume).toBeCloseTo(0.5 * Math.SQRT1_2);
    bench.clock.advance(5000);
    expect(bench.output.url).toBeNull();
    expect(bench.spare.volume).toBe(0.5);
    expect(bench.clock.pending()).toBe(0);
    expect(bench.state()).toMatchObject({ currentTrack: b, isPlaying: true });
    expect(bench.starts()).toEqual(['a', 'b']);
  });

  it('ignores events of the old track', () => {
    const bench = playWithCrossfade();
    bench.reach(290);
    startNext(bench);
    bench.output.emit({ type: 'timeupdate', time: 299 });
    bench.output.emit({ type: 'ended' });
    expect(bench.state()).toMatchObject({ currentTrack: b, currentTime: 0, isPlaying: true });
  });

  it.each(['pause', 'stop', 'close', 'skipToPrevious'] as const)(
    'is cut short by %s',
    (command) => {
      const bench = playWithCrossfade();
      bench.reach(290);
      startNext(bench);
      bench.clock.advance(2000);
      bench.engine[command]();
      expect(bench.output.url).toBeNull();
      expect(bench.clock.pending()).toBe(0);
    },
  );

  it('applies volume changes while it fades', () => {
    const bench = playWithCrossfade();
    bench.reach(290);
    startNext(bench);
    bench.clock.advance(5000);
    bench.engine.setVolume(1);
    expect(bench.spare.volume).toBeCloseTo(Math.SQRT1_2);
    bench.clock.advance(6000);
    bench.engine.setVolume(0.2);
    expect(bench.spare.volume).toBe(0.2);
  });

  it('can follow another one, with the outputs swapped', () => {
    const bench = playWithCrossfade();
    bench.engine.addToQueue(buildTrack('c'));
    bench.reach(290);
    startNext(bench);
    bench.clock.advance(10_000);
    bench.spare.emit({ type: 'timeupdate', time: 295 });
    expect(bench.output.url).toBe('/media/c.mp3');
    expect(bench.state().currentTrack?.id).toBe('c');
  });

  it('starts the next track on the first output if the browser blocks the second', async () => {
    const bench = playWithCrossfade();
    bench.engine.addToQueue(buildTrack('c'));
    bench.reach(290);
    await bench.spare.rejectPlay('NotAllowedError');
    expect(bench.output).toMatchObject({ url: b.fileUrl, volume: 0.5, isAskedToPlay: true });
    bench.sound();
    expect(bench.state()).toMatchObject({ currentTrack: b, isPlaying: true });
    bench.reach(295);
    expect(bench.spare.loads).toEqual([b.fileUrl]);
  });

  describe('into a file that fails', () => {
    const c = buildTrack('c');
    function fadeIntoBroken() {
      const bench = playWithCrossfade();
      bench.engine.addToQueue(c);
      bench.reach(290);
      bench.clock.advance(1000);
      return bench;
    }

    it('plays the current track to its end and then skips the broken one', () => {
      const bench = fadeIntoBroken();
      bench.spare.emit({ type: 'error', reason: 'not found' });
      expect(bench.state()).toMatchObject({
        currentTrack: a,
        currentTrackIndex: 0,
        currentTime: 290,
        duration: 300,
        isPlaying: true,
        isLoading: false,
      });
      expect(bench.output).toMatchObject({ url: a.fileUrl, volume: 0.5, isAskedToPlay: true });
      bench.reach(295);
      expect(bench.state()).toMatchObject({ currentTrack: a, currentTime: 295 });
      expect(bench.spare.loads).toEqual([b.fileUrl]);
      bench.output.emit({ type: 'ended' });
      expect(bench.state().currentTrack).toBe(b);
      bench.output.emit({ type: 'error', reason: 'not found' });
      bench.sound();
      expect(bench.state()).toMatchObject({ currentTrack: c, isPlaying: true });
      expect(bench.starts()).toEqual(['a', 'c']);
    });

    it('does the same if only its start fails', async () => {
      const bench = fadeIntoBroken();
      await bench.spare.rejectPlay('NotSupportedError');
      expect(bench.state()).toMatchObject({ currentTrack: a, isPlaying: true });
      expect(bench.output).toMatchObject({ url: a.fileUrl, isAskedToPlay: true });
    });

    it('skips it if the current track has ended by then', () => {
      const bench = fadeIntoBroken();
      bench.output.emit({ type: 'ended' });
      bench.spare.emit({ type: 'error', reason: 'not found' });
      expect(bench.state()).toMatchObject({ currentTrack: c, isStarting: true });
    });
  });

  it('does not happen when the sleep timer stops at the end of the track', () => {
    const bench = playWithCrossfade();
    bench.reach(289);
    const state = { ...bench.state(), currentTime: 291 };
    expect(dueCrossfade({ ...state, sleepTimer: { kind: 'at', endsAt: 0 } })).toBe(9);
    expect(dueCrossfade({ ...state, sleepTimer: { kind: 'end-of-track' } })).toBeNull();
  });

  it('happens only between full tracks, for subscribers', () => {
    const withPreview = playWithCrossfade(buildPreview('b'));
    withPreview.reach(295);
    const free = playWithCrossfade(b, false);
    free.reach(19);
    expect([withPreview.spare.loads, free.spare.loads]).toEqual([[], []]);
  });

  it('keeps the loudness constant: the squares of both gains add up to one', () => {
    for (const progress of [0, 0.2, 0.5, 0.9, 1]) {
      const { incoming, outgoing } = fadeGains(progress);
      expect(incoming ** 2 + outgoing ** 2).toBeCloseTo(1);
    }
    expect(fadeGains(2)).toEqual({ incoming: 1, outgoing: 0 });
  });
});
