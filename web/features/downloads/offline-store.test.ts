import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { MINUTE } from '#contract/rules/time.ts';
import { saveUser } from '#web/offline/store/account.ts';
import { addSave, changeSaveQueue, readSaveQueue } from '#web/offline/store/save-queue.ts';
import { CHUNK_BYTES } from '#web/offline/store/saved-file.ts';
import { createMemoryCaches } from '#web/offline/testing/memory-caches.ts';
import { buildTrack } from '#web/testing/build-track.ts';

const USER = 'sipho';
const NOW = Date.UTC(2026, 10, 15);
const call = vi.fn<() => Promise<unknown>>();
const showToast = vi.fn<(toast: { title: string }) => void>();
vi.mock('#web/lib/api/api.ts', () => ({ call: () => call() }));
vi.mock('#web/lib/store/toasts.ts', () => ({ showToast }));
vi.mock('#web/lib/store/boot.ts', () => ({ boot: { timeZone: 'UTC' } }));

let storage: CacheStorage;
const serveAudio = vi.fn<() => Response>();

beforeEach(async () => {
  vi.useFakeTimers({ now: NOW });
  vi.spyOn(console, 'warn').mockReturnValue();
  storage = createMemoryCaches();
  vi.stubGlobal('caches', storage);
  vi.stubGlobal('window', Object.assign(new EventTarget(), { caches: storage }));
  vi.stubGlobal('document', new EventTarget());
  vi.stubGlobal('BroadcastChannel', undefined);
  vi.stubGlobal('navigator', { userAgent: '', onLine: true, serviceWorker: { controller: null } });
  vi.stubGlobal('fetch', async (url: string) => {
    if (url.endsWith('/peaks')) return Response.json({ peaks: [1] });
    if (url.startsWith('/media/')) return serveAudio();
    const track = buildTrack('a', { coverUrl: null, fileUrl: '/media/tracks/a/stream?v=1' });
    return Response.json({ ...track, sizes: { stream: CHUNK_BYTES }, chapters: [], formats: [] });
  });
  await saveUser(storage, { id: USER, offlineUntil: NOW + MINUTE * 60 }, NOW);
  const mix = { trackId: 'a', title: 'A', isDataSaver: false, isPaused: false };
  await changeSaveQueue(storage, USER, addSave({ ...mix, mayUseMobile: true, isAutomatic: false }));
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

it('saving is tried again until it works, whatever failed, and says so once', async () => {
  call.mockRejectedValueOnce(new TypeError('Failed to fetch'));
  call.mockRejectedValueOnce(new TypeError('Failed to fetch'));
  call.mockResolvedValue({ id: USER, offlineUntil: NOW });
  const elsewhere = () => Response.json({ code: 'stream_elsewhere' }, { status: 403 });
  serveAudio.mockReturnValueOnce(new Response(null, { status: 503 }));
  serveAudio.mockReturnValueOnce(new Response(null, { status: 503 }));
  serveAudio.mockReturnValueOnce(elsewhere());
  serveAudio.mockReturnValueOnce(elsewhere());
  serveAudio.mockReturnValueOnce(new Response(new Uint8Array(CHUNK_BYTES), { status: 206 }));
  const { continueSavesAtStart } = await import('./offline-store.ts');
  await continueSavesAtStart();
  for (let tries = 1; tries <= 6; tries += 1) {
    // It has failed, and waits for its next try.
    await vi.waitFor(() => expect(vi.getTimerCount()).toBe(1));
    expect(call).toHaveBeenCalledTimes(tries);
    expect((await readSaveQueue(storage, USER)).saves).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(MINUTE);
  }
  await vi.waitFor(() => expect(showToast).toHaveBeenCalledTimes(3));
  expect(call).toHaveBeenCalledTimes(7);
  expect(serveAudio).toHaveBeenCalledTimes(5);
  expect((await readSaveQueue(storage, USER)).saves).toEqual([]);
  expect(showToast.mock.calls.map(([{ title }]) => title)).toEqual([
    'Not saved yet',
    'Not saved yet',
    'Saved offline',
  ]);
  await vi.advanceTimersByTimeAsync(5 * MINUTE);
  expect(call).toHaveBeenCalledTimes(7);
});
