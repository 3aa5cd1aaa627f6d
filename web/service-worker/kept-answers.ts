import { checkLease, readAccount } from '#web/offline/account.ts';
import { chunkUrl, findKept, isKeptCache, type KeptFile } from '#web/offline/kept-file.ts';
import { parseRange, planChunks, type ChunkPart } from '#web/offline/stored-range.ts';

declare const self: ServiceWorkerGlobalScope;

export function parseSoundPath(path: string): { trackId: string } | null {
  const [, id = ''] = /^\/media\/tracks\/([^/]+)\/(?:stream|dataSaver)$/.exec(path) ?? [];
  return id ? { trackId: decodeURIComponent(id) } : null;
}

/** Mixes with a cache in this browser; null until it was looked up. */
let keptIds: Set<string> | null = null;

export async function loadKeptIds(): Promise<void> {
  const names = (await self.caches.keys()).filter((name) => isKeptCache(name));
  keptIds = new Set(names.map((name) => decodeURIComponent(name.split(':')[2] ?? '')));
}
void loadKeptIds();
self.addEventListener('message', ({ data }) => {
  if ((data as { type?: string } | null)?.type === 'KEPT_CHANGED') void loadKeptIds();
});

/** Everything else goes its way untouched: sound through a worker is a detour. */
export const mayBeKept = (trackId: string): boolean => keptIds?.has(trackId) ?? true;

/** One chunk at a time, as the player takes them: a mix never lies in memory. */
function streamChunks(cache: Cache, parts: ChunkPart[]): ReadableStream<Uint8Array> {
  let next = 0;
  return new ReadableStream({
    async pull(controller) {
      const part = parts[next++];
      if (!part) return controller.close();
      const stored = await cache.match(chunkUrl(part.index));
      if (!stored) return controller.error(new Error('A part of the kept mix is missing.'));
      const bytes = new Uint8Array(await stored.arrayBuffer());
      controller.enqueue(bytes.subarray(part.from, part.to));
    },
  });
}

function answerFromChunks(request: Request, cache: Cache, record: KeptFile): Response {
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

/** The page says why: an audio element only knows that it got nothing. */
async function tellPages(message: { type: 'LEASE_REFUSED'; reason: string }): Promise<void> {
  for (const client of await self.clients.matchAll()) client.postMessage(message);
}

/**
 * Kept sound, while its lease holds, costs no data even where there is a network. Otherwise the
 * server decides, and where there is no server either, the page is told why nothing plays.
 */
export async function answerSound(request: Request): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const trackId = parseSoundPath(pathname)?.trackId ?? '';
  const account = await readAccount(self.caches);
  const kept = account && (await findKept(self.caches, account.userId, trackId));
  if (!account || !kept?.record.isComplete) return fetch(request);
  const lease = await checkLease(self.caches, account, Date.now());
  const isSame = kept.record.fileUrl === `${pathname}${search}`;
  if (lease === 'valid' && isSame) return answerFromChunks(request, kept.cache, kept.record);
  try {
    return await fetch(request);
  } catch (error) {
    // Kept in the other quality, or an older pressing: better than silence.
    if (lease === 'valid') return answerFromChunks(request, kept.cache, kept.record);
    await tellPages({ type: 'LEASE_REFUSED', reason: lease });
    throw error;
  }
}

export async function answerCover(request: Request): Promise<Response> {
  try {
    return await fetch(request);
  } catch (error) {
    const account = await readAccount(self.caches);
    const names = await self.caches.keys();
    for (const cacheName of names.filter((name) => isKeptCache(name, account?.userId ?? ''))) {
      const kept = await self.caches.match(request.url, { cacheName });
      if (kept) return kept;
    }
    throw error;
  }
}
