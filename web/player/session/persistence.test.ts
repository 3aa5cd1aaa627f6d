import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createPersistence,
  parsePlayer,
  PLAYER_KEY,
  serializePlayer,
  type KeyValueStorage,
} from './persistence.ts';
import { parseTrack } from '#web/player/parse-track.ts';
import { createStoredResumePositions, POSITIONS_KEY } from './resume-positions.ts';
import { createEngineBench } from '#web/player/testing/engine-bench.ts';
import { createMemoryStorage } from '#web/player/testing/memory-storage.ts';
import { buildPreview, buildTrack } from '#web/testing/build-track.ts';

const [a, b] = [buildTrack('a'), buildPreview('b')];

function createKeptBench(storage: KeyValueStorage = createMemoryStorage()) {
  const bench = createEngineBench();
  const persistence = createPersistence(bench.engine.store, storage, bench.clock, () => 7);
  return { ...bench, persistence, storage };
}

function playAWhile(bench = createKeptBench()) {
  bench.engine.setSubscriber(true);
  bench.engine.setVolume(0.4);
  bench.engine.playTracks([b, a]);
  bench.engine.skipToNext();
  bench.sound();
  bench.reach(42);
  return bench;
}

describe('a reload', () => {
  it('restores the queue, the index, the position and the volume, paused', () => {
    const { storage, persistence } = playAWhile();
    persistence.flush();
    const next = createKeptBench(storage);
    const saved = next.persistence.load();
    if (saved) next.engine.restore(saved);
    expect(next.state()).toMatchObject({
      currentTrack: a,
      queue: [b, a],
      currentTrackIndex: 1,
      currentTime: 42,
      duration: 300,
      volume: 0.4,
      isPlaying: false,
      isLoading: false,
    });
    expect(next.output.loads).toEqual([]);
    expect(next.output.volume).toBe(0.4);
  });

  it('resumes there, and loads within the same gesture', () => {
    const { storage, persistence } = playAWhile();
    persistence.flush();
    const next = createKeptBench(storage);
    const saved = next.persistence.load();
    if (saved) next.engine.restore(saved);
    next.engine.setSubscriber(true);
    next.engine.play();
    expect(next.output.calls).toEqual([`load ${a.fileUrl}`, 'play']);
    next.sound();
    expect(next.output.seeks).toEqual([42]);
    expect(next.state()).toMatchObject({ isPlaying: true, currentTime: 42 });
  });

  it('finds changes saved immediately, and the position every few seconds', () => {
    const bench = playAWhile();
    bench.clock.advance(500);
    const written = () => parsePlayer(bench.storage.getItem(PLAYER_KEY))?.currentTime;
    expect(written()).toBe(42);
    bench.reach(45);
    bench.clock.advance(500);
    expect(written()).toBe(42);
    bench.reach(47.5);
    bench.clock.advance(500);
    expect(written()).toBe(47.5);
  });

  it('restores which tracks the listener queued, and the list around them', () => {
    const { engine, storage, persistence } = playAWhile();
    engine.playTracks([b, a], 0, 'Library');
    engine.addToQueue(buildTrack('c'));
    persistence.flush();
    expect(parsePlayer(storage.getItem(PLAYER_KEY))).toMatchObject({
      source: 'Library',
      queuedIds: ['c'],
      queue: [b, buildTrack('c'), a],
    });
  });

  it('finds no queue after the player was closed', () => {
    const { engine, storage, persistence } = playAWhile();
    engine.close();
    persistence.flush();
    expect(parsePlayer(storage.getItem(PLAYER_KEY))).toMatchObject({
      currentTrack: null,
      queue: [],
    });
  });

  it('finds the current track within a queue that is too long to keep', () => {
    const { engine, storage, persistence } = playAWhile();
    const long = Array.from({ length: 900 }, (_, number) => buildTrack(`t${number}`));
    engine.playTracks(long, 620, 'Library');
    persistence.flush();
    const saved = parsePlayer(storage.getItem(PLAYER_KEY));
    expect(saved?.queue).toHaveLength(500);
    expect(saved?.queue[saved.currentTrackIndex]?.id).toBe('t620');
    expect(saved?.queue.at(-1)?.id).toBe('t899');
  });

  it('finds nothing after the visit was deleted', () => {
    const { storage, persistence } = playAWhile();
    persistence.flush();
    persistence.clear();
    expect(storage.getItem(PLAYER_KEY)).toBeNull();
  });

  it('restores nothing if the browser blocks storage, and nothing breaks', () => {
    const refuse = () => {
      throw new Error('denied');
    };
    const bench = playAWhile(
      createKeptBench({ getItem: refuse, setItem: refuse, removeItem: refuse }),
    );
    bench.clock.advance(1000);
    expect(bench.persistence.load()).toBeNull();
    expect(bench.state().isPlaying).toBe(true);
  });
});

describe('two tabs that save', () => {
  /** Both restore what the first has saved; the first keeps playing. */
  function openTwo() {
    const first = playAWhile();
    first.persistence.flush();
    const second = createKeptBench(first.storage);
    const saved = second.persistence.load();
    if (saved) second.engine.restore(saved);
    second.persistence.markSaved();
    second.engine.setSubscriber(true);
    first.engine.addToQueue(buildTrack('c'));
    first.reach(60);
    first.persistence.flush();
    const read = () => parsePlayer(first.storage.getItem(PLAYER_KEY));
    return { first, second, read };
  }

  it('write nothing if nothing changed in them', () => {
    const { first, second } = openTwo();
    const before = first.storage.getItem(PLAYER_KEY);
    second.engine.refreshTrack({ ...a, plays: 9 });
    second.engine.toggleExpanded();
    second.clock.advance(1000);
    second.persistence.flush();
    expect(first.storage.getItem(PLAYER_KEY)).toBe(before);
  });

  it('write only their own changes', () => {
    const { second, read } = openTwo();
    second.engine.setVolume(0.9);
    second.persistence.flush();
    expect(read()).toMatchObject({ volume: 0.9, currentTime: 60 });
    expect(read()?.queue).toHaveLength(3);
    second.engine.seek(150);
    second.persistence.flush();
    expect(read()).toMatchObject({ volume: 0.9, currentTime: 150 });
    expect(read()?.queue).toHaveLength(2);
  });

  it('do not bring back a deleted visit when a setting changes', () => {
    const { first, second, read } = openTwo();
    first.persistence.clear();
    second.engine.setVolume(0.9);
    second.persistence.flush();
    expect(read()).toMatchObject({ volume: 0.9, currentTrack: null, queue: [] });
  });
});

describe('hostile storage', () => {
  const saved = () =>
    JSON.parse(serializePlayer(playAWhile().state(), 7)) as Record<string, unknown>;
  const parse = (change: Record<string, unknown>) =>
    parsePlayer(JSON.stringify({ ...saved(), ...change }));

  it.each([null, '', '{', '[]', '7', '{"version":2}', '{"version":"1"}'])('ignores %s', (text) =>
    expect(parsePlayer(text)).toBeNull(),
  );

  it('drops invalid tracks, and the index with them', () => {
    const read = parse({ queue: [{ ...a, title: 7 }, b] });
    expect(read).toMatchObject({ queue: [b], currentTrackIndex: -1 });
  });

  it.each([-1, 9, 0.5, 'x', null])('rejects the index %s', (index) =>
    expect(parse({ index })?.currentTrackIndex).toBe(-1),
  );

  it('drops a queue without a current track, which an earlier version saved', () => {
    expect(parse({ track: null })).toMatchObject({ queue: [], currentTrackIndex: -1 });
    expect(parse({ track: null, source: 'Library', queuedIds: ['a'] })).toMatchObject({
      source: null,
      queuedIds: [],
    });
  });

  it.each([undefined, 7, ['Library'], {}])('reads the source %j as unknown', (source) =>
    expect(parse({ source, queuedIds: undefined })).toMatchObject({ source: '', queuedIds: [] }),
  );

  it('limits the length of the source, and shows it as text', () => {
    expect(parse({ source: 'x'.repeat(10_000) })?.source).toHaveLength(200);
    expect(parse({ source: '<b>Road</b>' })?.source).toBe('<b>Road</b>');
    expect(parse({ source: null })?.source).toBeNull();
  });

  it.each([['a', 'a', 'gone', 7, null], 'a', { a: true }])(
    'of the queued ids %j, keeps only those of tracks in the queue',
    (queuedIds) =>
      expect(parse({ queuedIds })?.queuedIds).toEqual(Array.isArray(queuedIds) ? ['a'] : []),
  );

  it('keeps numbers within their limits', () => {
    expect(parse({ time: 1e9, volume: 44, crossfadeSeconds: 99 })).toMatchObject({
      currentTime: 300,
      volume: 1,
      crossfadeSeconds: 12,
    });
    expect(parse({ time: 'late', volume: null, track: b })).toMatchObject({
      currentTime: 0,
      volume: 0.7,
    });
    expect(parse({ time: 250, track: b })?.currentTime).toBe(20);
  });

  it.each(['javascript:alert(1)', '//elsewhere.example/a.mp3', 'data:audio/mp3;base64,AA', ''])(
    'refuses the address %s',
    (fileUrl) => expect(parseTrack({ ...a, fileUrl })).toBeNull(),
  );

  it('drops unknown fields of a track', () => {
    expect(parseTrack({ ...a, extra: true })).toEqual(a);
  });

  it('never throws and never returns an invalid player', () => {
    fc.assert(
      fc.property(fc.json(), fc.jsonValue(), (text, value) => {
        parsePlayer(text);
        const read = parsePlayer(JSON.stringify({ version: 1, queue: value, track: value }));
        expect(read?.queue).toEqual([]);
        expect(read?.currentTrack).toBeNull();
      }),
    );
  });
});

describe('resume positions', () => {
  it('are saved by track, and deleted', () => {
    const positions = createStoredResumePositions(createMemoryStorage());
    positions.save('a', { seconds: 100, at: 1 });
    positions.save('a', { seconds: 120, at: 2 });
    expect(positions.find('a')).toEqual({ seconds: 120, at: 2 });
    positions.clear();
    expect(positions.find('a')).toBeNull();
  });

  it('drop the oldest', () => {
    const positions = createStoredResumePositions(createMemoryStorage());
    const at = { seconds: 60, at: 1 };
    for (let number = 0; number <= 200; number += 1) positions.save(`track ${number}`, at);
    expect([positions.find('track 0'), positions.find('track 1')]).toEqual([null, at]);
  });

  it.each(['x', '{"version":2,"positions":[["a","b",1],[1,2,3],null,["a",-5,1],["a",5]]}'])(
    'are none in %s',
    (text) => {
      const storage = createMemoryStorage();
      storage.setItem(POSITIONS_KEY, text);
      expect(createStoredResumePositions(storage).find('a')).toBeNull();
    },
  );
});
