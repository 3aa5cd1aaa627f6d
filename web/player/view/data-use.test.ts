import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { bytesPerHour } from '#contract/rules/data-use.ts';
import { readDataUse } from '#web/offline/store/data-use.ts';
import { createMemoryCaches } from '#web/offline/testing/memory-caches.ts';
import type { Player } from '#web/player/create-player.ts';
import { selectIsSmall } from '#web/player/preview-limit.ts';
import type { ListeningEvent } from '#web/player/session/listening-events.ts';
import { initialPlayerState, type PlayerState } from '#web/player/store.ts';
import { buildTrack } from '#web/testing/build-track.ts';

vi.mock('#web/lib/store/boot.ts', () => ({ boot: { timeZone: 'UTC', dataPrice: null } }));

const NOW = Date.UTC(2026, 10, 15);
const dataSaverUrl = '/media/tracks/a/dataSaver?v=1';
const track = buildTrack('a', { duration: 3600, dataSaverUrl });

beforeEach(() => {
  vi.useFakeTimers({ now: NOW, toFake: ['Date'] });
  vi.stubGlobal('window', new EventTarget());
  vi.stubGlobal('navigator', { userAgent: 'Android' });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const playing = (change: Partial<PlayerState>): PlayerState => ({
  ...initialPlayerState,
  currentTrack: track,
  ...change,
});

it('counts the file that plays, whatever the next one will be', async () => {
  const storage = createMemoryCaches();
  vi.stubGlobal('caches', storage);
  let state = playing({ fileUrl: track.fileUrl, isDataSaver: true });
  let listen = (_event: ListeningEvent): void => {};
  const player = {
    store: { get: () => state },
    listeningEvents: { subscribe: (callback: typeof listen) => void (listen = callback) },
  } as unknown as Player;
  const { measureListening } = await import('./data-use.ts');
  measureListening(player);
  const playTenSeconds = async (isResume: boolean) => {
    listen({ type: 'started', track, isResume });
    for (let second = 0; second <= 10; second += 1) {
      listen({ type: 'progress', track, time: second });
      vi.setSystemTime(Date.now() + 1000);
    }
    listen({ type: 'stopped', track, time: 10 });
    await new Promise((done) => setTimeout(done, 0));
  };
  await playTenSeconds(false);
  const best = Math.round(bytesPerHour('stream') / 360);
  expect((await readDataUse(storage, '2026-11')).streamed).toBe(best);
  // It failed while it was paused, and the small one was loaded.
  state = playing({ fileUrl: dataSaverUrl, isDataSaver: false });
  await playTenSeconds(true);
  const small = Math.round(bytesPerHour('dataSaver') / 360);
  expect((await readDataUse(storage, '2026-11')).streamed).toBe(best + small);
});

it('a line about data is about the file that is loaded, and for other mixes about the next one', () => {
  const best = playing({ fileUrl: track.fileUrl, isDataSaver: true });
  expect(selectIsSmall(best, 'a')).toBe(false);
  expect(selectIsSmall(best, 'b')).toBe(true);
  expect(selectIsSmall(playing({ fileUrl: dataSaverUrl, isDataSaver: false }), 'a')).toBe(true);
  expect(selectIsSmall(playing({ fileUrl: null, isDataSaver: true }), 'a')).toBe(true);
});
