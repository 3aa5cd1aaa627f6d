import { beforeEach, describe, expect, it } from 'vitest';
import type { TrackDetail } from '#contract/tracks.ts';
import { buildTrack } from '#web/testing/build-track.ts';
import { apiCacheName, checkAccountLease, saveUser, loadAccount } from './account.ts';
import { saveFile, SaveRefused, type SaveRequest } from './save-file.ts';
import { CHUNK_BYTES, chunkUrl, findSavedFile, listSavedFiles } from './saved-file.ts';
import { createMemoryCaches } from '#web/offline/testing/memory-caches.ts';
import { DAY } from '#contract/rules/time.ts';

const NOW = Date.UTC(2026, 10, 15);
const size = 3 * CHUNK_BYTES + 10;
const bytes = Uint8Array.from({ length: size }, (_, i) => (i * 7) % 251);

const detail = (id: string): TrackDetail => ({
  ...buildTrack(id, { fileUrl: `/media/tracks/${id}/stream?v=1` }),
  chapters: [],
  formats: [],
  sizes: { stream: size },
});
const order = (id = 'a', userId = 'sipho'): SaveRequest => {
  const track = detail(id);
  return { userId, track, peaks: { peaks: [0, 1] }, fileUrl: track.fileUrl, size };
};

/** A server that supports ranges; request number `failAt` fails. */
function createServer({ failAt = Infinity, status = 206 } = {}) {
  const asked: string[] = [];
  const fetchFile = (async (url: string, init?: RequestInit) => {
    if (url.includes('/covers/')) return new Response('picture');
    const range = new Headers(init?.headers).get('range') ?? '';
    asked.push(range);
    if (asked.length === failAt) throw new TypeError('Failed to fetch');
    const [, from = 0, to = 0] = (/(\d+)-(\d+)/.exec(range) ?? []).map(Number);
    return new Response(status === 206 ? bytes.slice(from, to + 1) : null, {
      status,
      headers: { 'content-type': 'audio/mpeg' },
    });
  }) as typeof fetch;
  return { asked, fetchFile };
}

let storage: CacheStorage;
beforeEach(() => {
  storage = createMemoryCaches();
});

const keep = (server = createServer(), wanted = order()) => {
  const progress: number[] = [];
  const signal = new AbortController().signal;
  const options = { fetchFile: server.fetchFile, signal, now: NOW };
  const done = saveFile(storage, wanted, { ...options, onProgress: (n) => progress.push(n) });
  return { done, progress };
};

describe('saving a track', () => {
  it('stores every byte and what its page needs, and reports progress', async () => {
    const { done, progress } = keep();
    await done;
    expect(progress).toEqual([CHUNK_BYTES, 2 * CHUNK_BYTES, 3 * CHUNK_BYTES, size]);
    const kept = await findSavedFile(storage, 'sipho', 'a');
    expect(kept?.record).toMatchObject({ isComplete: true, size, mediaType: 'audio/mpeg' });
    const chunks: Buffer[] = [];
    for (let i = 0; i < 4; i++) {
      const chunk = await kept?.cache.match(chunkUrl(i));
      chunks.push(Buffer.from((await chunk?.arrayBuffer()) ?? new ArrayBuffer(0)));
    }
    expect(Buffer.concat(chunks).equals(Buffer.from(bytes))).toBe(true);
    const cover = await kept?.cache.match(order().track.coverUrl ?? '');
    expect(await cover?.text()).toBe('picture');
  });

  it('resumes where it was interrupted, and is not saved before its last byte', async () => {
    await expect(keep(createServer({ failAt: 3 })).done).rejects.toThrow('Failed to fetch');
    expect((await listSavedFiles(storage, 'sipho'))[0]?.isComplete).toBe(false);
    const server = createServer();
    await keep(server).done;
    expect(server.asked).toHaveLength(2);
    expect((await listSavedFiles(storage, 'sipho'))[0]?.isComplete).toBe(true);
  });

  it('starts again when the track has a new file', async () => {
    await keep().done;
    const server = createServer();
    await keep(server, { ...order(), fileUrl: '/media/tracks/a/stream?v=2' }).done;
    expect(server.asked).toHaveLength(4);
  });

  it.each([401, 403, 200])('stops when the server responds with %d', async (status) => {
    await expect(keep(createServer({ status })).done).rejects.toThrow(SaveRefused);
    expect(await listSavedFiles(storage, 'sipho')).toEqual([]);
  });
});

describe('the saved tracks of an account', () => {
  const sipho = { id: 'sipho', offlineUntil: NOW + 37 * DAY };
  const ids = async (userId: string) =>
    (await listSavedFiles(storage, userId)).map(({ track }) => track.id);

  it('stay while the same user is logged in with access', async () => {
    await saveUser(storage, sipho, NOW);
    await keep().done;
    await storage.open(apiCacheName('sipho'));
    await saveUser(storage, sipho, NOW + DAY);
    expect(await ids('sipho')).toEqual(['a']);
    expect(await storage.has(apiCacheName('sipho'))).toBe(true);
  });

  it('are deleted when the user logs out or someone else logs in', async () => {
    for (const next of [null, { id: 'naledi', offlineUntil: NOW + DAY }]) {
      await saveUser(storage, sipho, NOW);
      await keep().done;
      await storage.open(apiCacheName('sipho'));
      await saveUser(storage, next, NOW);
      expect(await ids('sipho')).toEqual([]);
      expect(await storage.has(apiCacheName('sipho'))).toBe(false);
      expect((await loadAccount(storage))?.userId).toBe(next?.id);
    }
  });

  it('are deleted when access ends, while cached responses stay', async () => {
    await saveUser(storage, sipho, NOW);
    await keep().done;
    await storage.open(apiCacheName('sipho'));
    await saveUser(storage, { id: 'sipho', offlineUntil: null }, NOW);
    expect(await ids('sipho')).toEqual([]);
    expect(await storage.has(apiCacheName('sipho'))).toBe(true);
  });

  it('play until the lease expires, and setting the clock back does not help', async () => {
    await saveUser(storage, sipho, NOW);
    const check = async (now: number) => {
      const account = await loadAccount(storage);
      return account && checkAccountLease(storage, account, now);
    };
    expect(await check(NOW + 36 * DAY)).toBe('valid');
    expect(await check(NOW + 30 * DAY)).toBe('clock-set-back');
    expect(await check(NOW + 37 * DAY)).toBe('expired');
    expect(await check(NOW + 36 * DAY)).toBe('expired');
    // Only the server can extend the lease, and its clock is trusted.
    await saveUser(storage, { id: 'sipho', offlineUntil: NOW + 67 * DAY }, NOW + 30 * DAY);
    expect(await check(NOW + 30 * DAY)).toBe('valid');
  });
});
