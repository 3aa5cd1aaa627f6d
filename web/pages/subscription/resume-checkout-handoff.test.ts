import { expect, it } from 'vitest';
import type { Track } from '#contract/tracks.ts';
import { saveCheckoutHandoff } from '#web/player/session/checkout-handoff.ts';
import { createPlayer } from '#web/player/create-player.ts';
import { createEngineBench } from '#web/player/testing/engine-bench.ts';
import { createMemoryStorage } from '#web/player/testing/memory-storage.ts';
import type { KeyValueStorage } from '#web/player/session/persistence.ts';
import { buildPreview, buildTrack } from '#web/testing/build-track.ts';
import { settle } from '#web/player/testing/simulated-output.ts';
import { resumeCheckoutHandoff } from './resume-checkout-handoff.ts';

const preview = buildPreview('a');
const full = buildTrack('a');
const NOW = 1_800_000_000_000;

/** Heard to a second of the preview, then away to pay. */
function leaveAt(seconds: number, isPaused = false) {
  const storage = createMemoryStorage();
  const { engine, sound, reach } = createEngineBench();
  engine.playTracks([preview, buildPreview('b')]);
  sound();
  reach(seconds);
  if (isPaused) engine.pause();
  saveCheckoutHandoff(storage, engine.store.get(), 'thandi', NOW);
  return storage;
}

function comeBack(storage: KeyValueStorage, { isKnown = true } = {}) {
  const bench = createEngineBench();
  const fetched: string[] = [];
  const ports = {
    storage,
    now: NOW + 60_000,
    fetchTrack: async (id: string): Promise<Track> => {
      fetched.push(id);
      return buildTrack(id);
    },
  };
  if (isKnown) bench.engine.setSubscriber(true);
  return { ...bench, fetched, ports };
}

it('continues in the full file where the preview ended', async () => {
  const { engine, state, output, sound, ports, fetched } = comeBack(leaveAt(20));
  expect(resumeCheckoutHandoff(engine, 'thandi', ports)).toEqual({ trackId: 'a', position: 80 });
  await settle();
  sound();
  expect(output.loads).toEqual([full.fileUrl]);
  expect(output.seeks).toEqual([80]);
  expect(state()).toMatchObject({ currentTrack: full, currentTime: 80, isPlaying: true });
  expect(fetched).toEqual(['a', 'b']);
  expect(state().queue.map(({ access }) => access)).toEqual(['full', 'full']);
});

it('waits for the status if the file arrives first', async () => {
  const { engine, state, ports } = comeBack(leaveAt(20), { isKnown: false });
  resumeCheckoutHandoff(engine, 'thandi', ports);
  await settle();
  expect(state()).toMatchObject({ currentTrack: preview, isStarting: false });
  engine.setSubscriber(true);
  await settle();
  expect(state()).toMatchObject({ currentTrack: full, currentTime: 80, isStarting: true });
});

it('stays paused at the second where the user paused', async () => {
  const { engine, state, output, ports } = comeBack(leaveAt(8, true));
  resumeCheckoutHandoff(engine, 'thandi', ports);
  await settle();
  expect(state()).toMatchObject({ currentTrack: full, currentTime: 68, isStarting: false });
  expect(output.isAskedToPlay).toBe(false);
});

it('does not touch current playback or another user’s handoff', async () => {
  const busy = comeBack(leaveAt(20));
  busy.engine.playTracks([buildTrack('c')]);
  expect(resumeCheckoutHandoff(busy.engine, 'thandi', busy.ports)).toBeNull();
  expect(busy.state().currentTrack?.id).toBe('c');
  const other = comeBack(leaveAt(20));
  expect(resumeCheckoutHandoff(other.engine, 'lerato', other.ports)).toBeNull();
  expect(other.state().currentTrack).toBeNull();
});

it('does not interrupt another track that is picked in the meantime', async () => {
  const { engine, state, ports } = comeBack(leaveAt(20));
  resumeCheckoutHandoff(engine, 'thandi', ports);
  engine.playTracks([buildTrack('c')]);
  await settle();
  expect(state().currentTrack?.id).toBe('c');
});

it('keeps its position even if the server has a newer one', async () => {
  const { ports, output, clock } = comeBack(leaveAt(20));
  const player = createPlayer(
    {
      output,
      clock,
      spare: null,
      storage: null,
      positions: { find: () => null, save: () => {}, clear: () => {} },
      tabs: null,
      mediaSession: null,
      shouldSaveData: () => false,
      onLineChange: () => () => {},
      isOnline: () => true,
      announcePreviewEnd: () => {},
      onLeave: () => () => {},
      onVisitDeleted: () => () => {},
      onReturn: () => () => {},
      log: () => {},
    },
    {
      recordPlay: async () => ({ playId: 'play 1' }),
      sendHeartbeat: async () => undefined,
      requestFreshTracks: () => {},
      announceFailure: () => {},
    },
  );
  player.setSubscriber(true);
  const listenedAt = clock.now() + 1;
  const progress = { position: 200, listened: 200, listenedAt, isFinished: false };
  const fetchTrack = async (id: string) => buildTrack(id, { progress });
  resumeCheckoutHandoff(player, 'thandi', { ...ports, fetchTrack });
  await settle();
  expect(player.store.get()).toMatchObject({ currentTime: 80, isStarting: true });
});
