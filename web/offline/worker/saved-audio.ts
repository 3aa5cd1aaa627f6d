import { checkAccountLease, loadAccount } from '#web/offline/store/account.ts';
import { findReplacement, mayReplace } from '#web/offline/store/playable-file.ts';
import {
  chunkUrl,
  findSavedFile,
  isSavedCache,
  parseRange,
  planChunks,
  type ChunkPart,
  type SavedFile,
} from '#web/offline/store/saved-file.ts';

declare const self: ServiceWorkerGlobalScope;

export function parseAudioPath(path: string): { trackId: string } | null {
  const [, id = ''] = /^\/media\/tracks\/([^/]+)\/(?:stream|dataSaver)$/.exec(path) ?? [];
  return id ? { trackId: decodeURIComponent(id) } : null;
}

/** Ids of the tracks with a cache in this browser; null until they are loaded. */
let savedIds: Set<string> | null = null;

export async function loadSavedIds(): Promise<void> {
  const names = (await self.caches.keys()).filter((name) => isSavedCache(name));
  savedIds = new Set(names.map((name) => decodeURIComponent(name.split(':')[2] ?? '')));
}
void loadSavedIds();
self.addEventListener('message', ({ data }) => {
  if ((data as { type?: string } | null)?.type === 'SAVED_FILES_CHANGED') void loadSavedIds();
});

/** The worker ignores all other audio: passing it through would be a detour. */
export const mayBeSaved = (trackId: string): boolean => savedIds?.has(trackId) ?? true;

/** Loads one chunk at a time, so that a track is never in memory as a whole. */
function streamChunks(cache: Cache, parts: ChunkPart[]): ReadableStream<Uint8Array> {
  let next = 0;
  return new ReadableStream({
    async pull(controller) {
      const part = parts[next++];
      if (!part) return controller.close();
      const stored = await cache.match(chunkUrl(part.index));
      if (!stored) return controller.error(new Error('A part of the saved track is missing.'));
      const bytes = new Uint8Array(await stored.arrayBuffer());
      controller.enqueue(bytes.subarray(part.from, part.to));
    },
  });
}

function buildChunkResponse(request: Request, cache: Cache, record: SavedFile): Response {
  const { size, mediaType } = record;
  const range = parseRange(request.headers.get('range'), size);
  const headers = { 'content-type': mediaType, 'accept-ranges': 'bytes' };
  if (range === 'unsatisfiable')
    return new Response(null, { status: 416, headers: { 'content-range': `bytes */${size}` } });
  const { start, end } = range ?? { start: 0, end: size - 1 };
  return new Response(streamChunks(cache, planChunks({ start, end })), {
    status: range ? 206 : 200,
    headers: {
      ...headers,
      'content-length': String(end - start + 1),
      ...(range && { 'content-range': `bytes ${start}-${end}/${size}` }),
    },
  });
}

/** Lets the page explain the failure: an audio element only knows that it got no data. */
async function notifyPages(message: { type: 'LEASE_REFUSED'; reason: string }): Promise<void> {
  for (const client of await self.clients.matchAll()) client.postMessage(message);
}

/**
 * While the lease is valid, saved audio is used even if there is a network, to save data. Otherwise
 * the server decides; without a network, the page learns why nothing plays.
 */
export async function respondWithAudio(request: Request): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const trackId = parseAudioPath(pathname)?.trackId ?? '';
  const account = await loadAccount(self.caches);
  const saved = account && (await findSavedFile(self.caches, account.userId, trackId));
  if (!account || !saved?.record.isComplete) return fetch(request);
  const lease = await checkAccountLease(self.caches, account, Date.now());
  const url = `${pathname}${search}`;
  const replacement = findReplacement(saved.record, url);
  const isPlayedHere =
    replacement === 'same' ||
    (replacement === 'better' &&
      (await mayReplace(request.headers.get('range'), saved.cache, url)));
  if (lease === 'valid' && isPlayedHere)
    return buildChunkResponse(request, saved.cache, saved.record);
  try {
    return await fetch(request);
  } catch (error) {
    // Saved in the other quality, or an older version: better than silence.
    if (lease === 'valid') return buildChunkResponse(request, saved.cache, saved.record);
    await notifyPages({ type: 'LEASE_REFUSED', reason: lease });
    throw error;
  }
}

export async function respondWithCover(request: Request): Promise<Response> {
  try {
    return await fetch(request);
  } catch (error) {
    const account = await loadAccount(self.caches);
    const names = await self.caches.keys();
    for (const cacheName of names.filter((name) => isSavedCache(name, account?.userId ?? ''))) {
      const saved = await self.caches.match(request.url, { cacheName });
      if (saved) return saved;
    }
    throw error;
  }
}
