import {
  CHUNK_BYTES,
  chunkUrl,
  countChunks,
  findSavedFile,
  savedCacheName,
  saveRecord,
  type SavedFile,
} from './saved-file.ts';

export type SaveRequest = Pick<SavedFile, 'track' | 'peaks' | 'fileUrl' | 'size'> & {
  userId: string;
};

export type SaveOptions = {
  /** Receives the number of bytes so far. */
  onProgress: (done: number) => void;
  /** Receives how many were just loaded. */
  onLoaded?: (bytes: number) => void;
  signal: AbortSignal;
  /** Asked before each part is loaded. */
  isWanted?: () => Promise<boolean>;
  now: number;
  fetchFile?: typeof fetch;
};

/** The server refused, or returned a different range. */
export class SaveRefused extends Error {
  readonly status: number;
  /** The server’s code for the reason, if it gave one. */
  readonly code: string | null;
  constructor(status: number, code: string | null = null) {
    super(`The server responded with ${status} while a track was being saved.`);
    this.status = status;
    this.code = code;
  }
}

/** Nobody wants it any more, or not on this connection. */
export class SaveUnwanted extends Error {}

export async function readRefusal(response: Response): Promise<SaveRefused> {
  const body: unknown = await response.json().catch(() => null);
  const { code } = (body ?? {}) as { code?: unknown };
  return new SaveRefused(response.status, typeof code === 'string' ? code : null);
}

/** Tells the server that nobody listens, so that it doesn’t stop a device that plays. */
const saveUrl = (fileUrl: string): string => `${fileUrl}&save=1`;

async function fetchChunk(order: SaveRequest, index: number, options: SaveOptions) {
  const start = index * CHUNK_BYTES;
  const end = Math.min(start + CHUNK_BYTES, order.size) - 1;
  const { fetchFile = fetch, signal } = options;
  const response = await fetchFile(saveUrl(order.fileUrl), {
    headers: { range: `bytes=${start}-${end}` },
    // With `include`, a browser would refuse the answer of a store or CDN that doesn't expect cookies.
    credentials: 'same-origin',
    signal,
  });
  if (!response.ok) throw await readRefusal(response);
  const bytes = await response.arrayBuffer();
  if (response.status !== 206 || bytes.byteLength !== end - start + 1)
    throw new SaveRefused(response.status);
  return { bytes, mediaType: response.headers.get('content-type') ?? '' };
}

async function saveCover(cache: Cache, { track }: SaveRequest, { fetchFile = fetch }: SaveOptions) {
  if (!track.coverUrl) return;
  // The track also plays without its cover.
  const response = await fetchFile(track.coverUrl, { credentials: 'include' }).catch(() => null);
  if (response?.ok) await cache.put(track.coverUrl, response);
}

/**
 * Stores a track chunk by chunk. Resumes an interrupted save; another version of the audio starts
 * again. The track is saved once its last chunk is there.
 */
export async function saveFile(
  storage: CacheStorage,
  order: SaveRequest,
  options: SaveOptions,
): Promise<SavedFile> {
  const { userId, ...content } = order;
  const { track, fileUrl, size } = content;
  const before = (await findSavedFile(storage, userId, track.id))?.record;
  const isSame = before?.fileUrl === fileUrl && before.size === size;
  if (!isSame) await storage.delete(savedCacheName(userId, track.id));
  const cache = await storage.open(savedCacheName(userId, track.id));
  let mediaType = isSame ? before.mediaType : '';
  const record = (isComplete: boolean): SavedFile => ({
    ...content,
    mediaType,
    savedAt: options.now,
    isComplete,
  });
  for (let index = 0; index < countChunks(size); index += 1) {
    if (!(await cache.match(chunkUrl(index)))) {
      if (options.isWanted && !(await options.isWanted())) throw new SaveUnwanted();
      const chunk = await fetchChunk(order, index, options);
      options.onLoaded?.(chunk.bytes.byteLength);
      await cache.put(chunkUrl(index), new Response(chunk.bytes));
      if (!mediaType) {
        mediaType = chunk.mediaType;
        await saveRecord(cache, record(false));
      }
    }
    options.onProgress(Math.min(size, (index + 1) * CHUNK_BYTES));
  }
  await saveCover(cache, order, options);
  await saveRecord(cache, record(true));
  return record(true);
}

/** How much of a partly saved track is there. */
export async function countSavedBytes(cache: Cache, { size }: SavedFile): Promise<number> {
  const keys = await cache.keys();
  const chunks = keys.filter(({ url }) =>
    new URL(url).pathname.startsWith(chunkUrl(0).slice(0, -1)),
  );
  return Math.min(size, chunks.length * CHUNK_BYTES);
}
