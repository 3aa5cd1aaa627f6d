import { describe, expect, it } from 'vitest';
import { createPreloader } from './preload.ts';
import { createEngineBench } from './testing/engine-bench.ts';
import { makePreview, makeTrack } from './testing/sample-tracks.ts';
import { settle } from './testing/simulated-output.ts';

const [a, b] = [makeTrack('a'), makeTrack('b')];

function createPreloadBench(fetchFile: (url: string) => Promise<unknown> = async () => {}) {
  const bench = createEngineBench();
  const fetched: string[] = [];
  const preloader = createPreloader(bench.engine.store, (url) => {
    fetched.push(url);
    return fetchFile(url);
  });
  bench.engine.setSubscriber(true);
  return { ...bench, preloader, fetched };
}

describe('fetching ahead', () => {
  it('begins with the next track near the end of the current one, once', () => {
    const { engine, sound, reach, fetched } = createPreloadBench();
    engine.playTracks([a, b]);
    sound();
    reach(269);
    expect(fetched).toEqual([]);
    reach(271);
    reach(272);
    expect(fetched).toEqual([b.fileUrl]);
  });

  it('begins at once for a listener of previews', () => {
    const { engine, sound, fetched } = createPreloadBench();
    engine.setSubscriber(false);
    engine.playTracks([makePreview('a'), makePreview('b')]);
    sound();
    expect(fetched).toEqual(['/media/b-preview.mp3']);
  });

  it('warms up a track that is likely to be played', () => {
    const { preloader, fetched } = createPreloadBench();
    preloader.warmUp(b);
    preloader.warmUp(b);
    expect(fetched).toEqual([b.fileUrl]);
  });

  it('never happens when data is to be saved', () => {
    const { engine, sound, reach, preloader, fetched } = createPreloadBench();
    engine.setDataSaver(true);
    preloader.warmUp(b);
    engine.playTracks([a, b]);
    sound();
    reach(290);
    expect(fetched).toEqual([]);
  });

  it('that failed may be tried again', async () => {
    const { preloader, fetched } = createPreloadBench(() => Promise.reject(new Error('offline')));
    preloader.warmUp(b);
    await settle();
    preloader.warmUp(b);
    expect(fetched.length).toBe(2);
    await settle();
  });
});
