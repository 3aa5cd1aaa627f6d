import { describe, expect, it } from 'vitest';
import { createPreloader } from './preload.ts';
import { createEngineBench } from '#web/player/testing/engine-bench.ts';
import { buildPreview, buildTrack } from '#web/testing/build-track.ts';
import { settle } from '#web/player/testing/simulated-output.ts';

const [a, b, c] = [buildTrack('a'), buildTrack('b'), buildTrack('c')];

function createPreloadBench(savesData = false) {
  const bench = createEngineBench();
  const preloader = createPreloader({ ...bench.engine, shouldSaveData: () => savesData });
  bench.engine.setSubscriber(true);
  return { ...bench, preloader };
}

describe('preloading', () => {
  it('loads the next track near the end of the current one, once', () => {
    const { engine, sound, reach, spare } = createPreloadBench();
    engine.playTracks([a, b]);
    sound();
    reach(269);
    expect(spare.loads).toEqual([]);
    reach(271);
    reach(272);
    expect(spare.loads).toEqual([b.fileUrl]);
  });

  it('starts immediately for previews', () => {
    const { engine, sound, spare } = createPreloadBench();
    engine.setSubscriber(false);
    engine.playTracks([buildPreview('a'), buildPreview('b')]);
    sound();
    expect(spare.loads).toEqual(['/media/b-preview.mp3']);
  });

  it('does not replace a track the user has chosen since', () => {
    const { engine, sound, reach, preloader, spare } = createPreloadBench();
    engine.playTracks([a, b]);
    sound();
    reach(271);
    preloader.warmUp(c);
    reach(272);
    expect(spare.loads).toEqual([b.fileUrl, c.fileUrl]);
  });

  it('loads one track at a time, and never the current one again', () => {
    const { engine, preloader, output, spare } = createPreloadBench();
    engine.playTracks([a]);
    for (const track of [a, b, b, c]) preloader.warmUp(track);
    expect(output.loads).toEqual([a.fileUrl]);
    expect(spare.loads).toEqual([b.fileUrl, c.fileUrl]);
    expect(spare.url).toBe(c.fileUrl);
  });

  it.each(['the user', 'the device'])('never happens when %s asks to save data', (who) => {
    const { engine, sound, reach, preloader, spare } = createPreloadBench(who === 'the device');
    engine.setDataSaver(who === 'the user');
    preloader.warmUp(b);
    engine.playTracks([a, b]);
    sound();
    reach(290);
    expect(spare.loads).toEqual([]);
  });

  it('fails silently and can be tried again', () => {
    const { preloader, spare, logs } = createPreloadBench();
    preloader.warmUp(b);
    spare.emit({ type: 'error', reason: 'offline' });
    preloader.warmUp(b);
    expect(spare.loads).toEqual([b.fileUrl, b.fileUrl]);
    expect(logs).toEqual([]);
  });
});

describe('a preloaded track', () => {
  it('plays in its output, with its known duration', async () => {
    const { engine, preloader, output, spare, state, starts } = createPreloadBench();
    preloader.warmUp(b);
    spare.emit({ type: 'loadedmetadata', duration: 299.5 });
    expect(state().currentTrack).toBeNull();
    engine.playTracks([a, b], 1);
    expect(spare.isAskedToPlay).toBe(true);
    await settle();
    expect(state()).toMatchObject({ isLoading: false, duration: 299.5, isStarting: true });
    spare.emit({ type: 'playing' });
    spare.emit({ type: 'timeupdate', time: 1 });
    expect(state()).toMatchObject({ isPlaying: true, currentTime: 1 });
    expect(starts()).toEqual(['b']);
    expect(spare.loads).toEqual([b.fileUrl]);
    expect(output.loads).toEqual([]);
  });

  it('plays even if the click comes before its duration is known', () => {
    const { engine, preloader, spare, state } = createPreloadBench();
    preloader.warmUp(b);
    engine.playTracks([b]);
    expect(state().isLoading).toBe(true);
    spare.emit({ type: 'loadedmetadata', duration: 300 });
    spare.emit({ type: 'playing' });
    expect(state()).toMatchObject({ isLoading: false, isPlaying: true });
    expect(spare.loads).toEqual([b.fileUrl]);
  });

  it('resumes where playback stopped, at the current volume', async () => {
    const { engine, spare } = createEngineBench(() => 120);
    engine.setVolume(0.4);
    engine.prepare(b);
    spare.emit({ type: 'loadedmetadata', duration: 300 });
    engine.playTracks([b]);
    await settle();
    expect(spare.seeks).toEqual([120]);
    expect(spare.volume).toBe(0.4);
  });

  it('replaces the playing track, which is unloaded', async () => {
    const { engine, sound, preloader, output, spare, state } = createPreloadBench();
    engine.playTracks([a, b]);
    sound();
    preloader.warmUp(b);
    spare.emit({ type: 'loadedmetadata', duration: 300 });
    engine.skipToNext();
    await settle();
    expect(output.url).toBeNull();
    output.emit({ type: 'timeupdate', time: 9 });
    expect(state()).toMatchObject({ currentTime: 0, isLoading: false });
    preloader.warmUp(a);
    expect(output.url).toBe(a.fileUrl);
  });

  it('starts a crossfade without being loaded again', () => {
    const { engine, sound, reach, preloader, spare, state } = createPreloadBench();
    engine.setCrossfade(10);
    engine.playTracks([a, b]);
    sound();
    preloader.warmUp(b);
    reach(291);
    expect(state().currentTrack?.id).toBe('b');
    expect(spare.loads).toEqual([b.fileUrl]);
    expect(spare.isAskedToPlay).toBe(true);
  });

  it('moves to the other output in a browser that only starts that one', async () => {
    const { engine, sound, loadMetadata, preloader, output, spare, logs } = createPreloadBench();
    engine.playTracks([a, b]);
    sound();
    preloader.warmUp(b);
    spare.emit({ type: 'loadedmetadata', duration: 300 });
    output.emit({ type: 'ended' });
    await settle();
    engine.seek(60);
    await spare.rejectPlay('NotAllowedError');
    expect(output.url).toBe(b.fileUrl);
    expect(output.isAskedToPlay).toBe(true);
    loadMetadata();
    expect(output.seeks).toEqual([60]);
    expect(logs).toEqual([]);
    preloader.warmUp(a);
    expect(spare.loads).toEqual([b.fileUrl]);
  });

  it('can be the restored track, and then resumes at its second', async () => {
    const { engine, preloader, output, spare } = createPreloadBench();
    engine.restore({ currentTrack: a, queue: [a], currentTrackIndex: 0, currentTime: 42 });
    preloader.warmUp(a);
    expect(spare.loads).toEqual([a.fileUrl]);
    spare.emit({ type: 'loadedmetadata', duration: 300 });
    engine.play();
    await settle();
    expect(spare).toMatchObject({ isAskedToPlay: true, seeks: [42] });
    preloader.warmUp(a);
    expect(output.loads).toEqual([]);
  });

  it('is unloaded when the player is closed', () => {
    const { engine, preloader, spare } = createPreloadBench();
    preloader.warmUp(b);
    engine.close();
    expect(spare.url).toBeNull();
  });
});
