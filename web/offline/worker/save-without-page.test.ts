import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { saveUser } from '#web/offline/store/account.ts';
import { readDataUse } from '#web/offline/store/data-use.ts';
import { addSave, changeSaveQueue, readSaveQueue } from '#web/offline/store/save-queue.ts';
import { CHUNK_BYTES } from '#web/offline/store/saved-file.ts';
import { createMemoryCaches } from '#web/offline/testing/memory-caches.ts';
import { buildTrack } from '#web/testing/build-track.ts';
import { saveWithoutPage } from './save-without-page.ts';

const USER = 'sipho';
const NOW = Date.UTC(2026, 10, 15);
let storage: CacheStorage;

class Connection extends EventTarget {
  type = 'wifi';
  change(type: string): void {
    this.type = type;
    this.dispatchEvent(new Event('change'));
  }
}
let connection: Connection;
const save = () => saveWithoutPage(false, () => {});

beforeEach(async () => {
  vi.useFakeTimers({ now: NOW, toFake: ['Date'] });
  storage = createMemoryCaches();
  connection = new Connection();
  vi.stubGlobal('caches', storage);
  vi.stubGlobal(
    'BroadcastChannel',
    class {
      postMessage(): void {}
      close(): void {}
    },
  );
  vi.stubGlobal('navigator', {
    userAgent: 'Android',
    connection,
    storage: { estimate: async () => ({}) },
  });
  await saveUser(storage, { id: USER, offlineUntil: NOW + 1_000_000 }, NOW);
  const mix = { trackId: 'a', title: 'A', isDataSaver: false, isPaused: false };
  const more = { mayUseMobile: false, isAutomatic: true };
  await changeSaveQueue(storage, USER, addSave({ ...mix, ...more }));
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Calls back when the audio is asked for: with how often it was, and what ends that request. */
function serve(onPart: (parts: number, signal: AbortSignal) => Response | Promise<Response>) {
  let parts = 0;
  vi.stubGlobal('fetch', async (url: string, init?: RequestInit) => {
    if (url.endsWith('/peaks')) return Response.json({ peaks: [1] });
    if (url.startsWith('/media/')) return onPart(++parts, init!.signal!);
    const track = buildTrack('a', { coverUrl: null, fileUrl: '/media/tracks/a/stream?v=1' });
    return Response.json({
      ...track,
      sizes: { stream: 3 * CHUNK_BYTES },
      chapters: [],
      formats: [],
    });
  });
}
const part = () => new Response(new Uint8Array(CHUNK_BYTES), { status: 206 });

it('stops when Wi-Fi is gone, even in the middle of a part, and goes on when it is back', async () => {
  const requests: number[] = [];
  serve((parts, signal) => {
    requests.push(parts);
    if (parts !== 2) return part();
    const aborted = new Promise<Response>((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(new DOMException('Aborted', 'AbortError')));
    });
    connection.change('cellular');
    return aborted;
  });
  // The browser tries again what was not done.
  await expect(save()).rejects.toThrow('Saving mixes has to wait.');
  expect(requests).toEqual([1, 2]);
  await save();
  expect(requests).toEqual([1, 2]);
  connection.change('wifi');
  await save();
  expect(requests).toEqual([1, 2, 3, 4]);
  expect((await readSaveQueue(storage, USER)).saves).toEqual([]);
  const used = 3 * CHUNK_BYTES;
  expect(await readDataUse(storage, '2026-11')).toMatchObject({ saved: used, unmetered: used });
});

it('asks the browser to try again while another device plays', async () => {
  serve(() => Response.json({ code: 'stream_elsewhere' }, { status: 403 }));
  await expect(save()).rejects.toThrow('Saving mixes has to wait.');
  expect((await readSaveQueue(storage, USER)).saves).toHaveLength(1);
});
