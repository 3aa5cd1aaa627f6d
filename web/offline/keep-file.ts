import type { TrackDetail } from '#contract/tracks.ts';
import {
  CHUNK_BYTES,
  chunkUrl,
  countChunks,
  findKept,
  keptCacheName,
  writeRecord,
  type KeptFile,
} from './kept-file.ts';

export type KeepOrder = {
  userId: string;
  track: TrackDetail;
  peaks: { peaks: number[] };
  fileUrl: string;
  size: number;
};

export type KeepOptions = {
  /** Bytes so far. */
  onProgress: (done: number) => void;
  signal: AbortSignal;
  now: number;
  fetchFile?: typeof fetch;
};

/** The server said no, or sent something else than the part that was asked for. */
export class KeepRefused extends Error {
  readonly status: number;
  constructor(status: number) {
    super(`Keeping a mix offline was answered with ${status}.`);
    this.status = status;
  }
}

async function fetchChunk(order: KeepOrder, index: number, options: KeepOptions) {
  const start = index * CHUNK_BYTES;
  const end = Math.min(start + CHUNK_BYTES, order.size) - 1;
  const { fetchFile = fetch, signal } = options;
  const response = await fetchFile(order.fileUrl, {
    headers: { range: `bytes=${start}-${end}` },
    credentials: 'include',
    signal,
  });
  const bytes = response.ok ? await response.arrayBuffer() : new ArrayBuffer(0);
  if (response.status !== 206 || bytes.byteLength !== end - start + 1)
    throw new KeepRefused(response.status);
  return { bytes, mediaType: response.headers.get('content-type') ?? '' };
}

async function keepCover(cache: Cache, { track }: KeepOrder, { fetchFile = fetch }: KeepOptions) {
  if (!track.coverUrl) return;
  // Without its picture a mix plays all the same.
  const response = await fetchFile(track.coverUrl).catch(() => null);
  if (response?.ok) await cache.put(track.coverUrl, response);
}

/**
 * Stores a mix chunk by chunk. What broke off goes on where it stopped; another version of the mix
 * begins anew. It counts as kept when its last chunk is there.
 */
export async function keepFile(
  storage: CacheStorage,
  order: KeepOrder,
  options: KeepOptions,
): Promise<KeptFile> {
  const { userId, track, peaks, fileUrl, size } = order;
  const known = (await findKept(storage, userId, track.id))?.record;
  const isSame = known?.fileUrl === fileUrl && known.size === size;
  if (!isSame) await storage.delete(keptCacheName(userId, track.id));
  const cache = await storage.open(keptCacheName(userId, track.id));
  let mediaType = isSame ? known.mediaType : '';
  const record = (isComplete: boolean): KeptFile => ({
    track,
    peaks,
    fileUrl,
    size,
    mediaType,
    keptAt: options.now,
    isComplete,
  });
  for (let index = 0; index < countChunks(size); index += 1) {
    if (!(await cache.match(chunkUrl(index)))) {
      const chunk = await fetchChunk(order, index, options);
      await cache.put(chunkUrl(index), new Response(chunk.bytes));
      if (!mediaType) {
        mediaType = chunk.mediaType;
        await writeRecord(cache, record(false));
      }
    }
    options.onProgress(Math.min(size, (index + 1) * CHUNK_BYTES));
  }
  await keepCover(cache, order, options);
  await writeRecord(cache, record(true));
  return record(true);
}

/** How much of a mix that broke off is there already. */
export async function countKeptBytes(cache: Cache, { size }: KeptFile): Promise<number> {
  const keys = await cache.keys();
  const chunks = keys.filter(({ url }) =>
    new URL(url).pathname.startsWith(chunkUrl(0).slice(0, -1)),
  );
  return Math.min(size, chunks.length * CHUNK_BYTES);
}
