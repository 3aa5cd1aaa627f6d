import type { TrackDetail } from '#contract/tracks.ts';

/** Small enough to lose little when the connection fails, large enough to keep chunks few. */
export const CHUNK_BYTES = 256 * 1024;

/** A track in the browser's cache: what the page and the player need, and the audio in chunks. */
export type SavedFile = {
  track: TrackDetail;
  peaks: { peaks: number[] };
  /** The URL of these bytes; another version of the audio has another URL. */
  fileUrl: string;
  mediaType: string;
  size: number;
  savedAt: number;
  isComplete: boolean;
};

/** One cache per account and track, so that accounts stay separate and a track is deleted at once. */
export const savedCacheName = (userId: string, trackId: string): string =>
  `saved:${encodeURIComponent(userId)}:${encodeURIComponent(trackId)}`;

export const isSavedCache = (name: string, userId?: string): boolean =>
  name.startsWith(userId === undefined ? 'saved:' : `saved:${encodeURIComponent(userId)}:`);

const RECORD_URL = '/offline/record';
export const chunkUrl = (index: number): string => `/offline/chunk/${index}`;
export const countChunks = (size: number): number => Math.ceil(size / CHUNK_BYTES);

async function loadRecord(cache: Cache): Promise<SavedFile | null> {
  const stored = await cache.match(RECORD_URL);
  return stored ? ((await stored.json()) as SavedFile) : null;
}

export const saveRecord = (cache: Cache, record: SavedFile): Promise<void> =>
  cache.put(RECORD_URL, Response.json(record));

/** All tracks that this account has saved in this browser, newest first. */
export async function listSavedFiles(storage: CacheStorage, userId: string): Promise<SavedFile[]> {
  const names = (await storage.keys()).filter((name) => isSavedCache(name, userId));
  const records = await Promise.all(
    names.map(async (name) => loadRecord(await storage.open(name))),
  );
  return records.filter((record) => record !== null).toSorted((a, b) => b.savedAt - a.savedAt);
}

export async function findSavedFile(
  storage: CacheStorage,
  userId: string,
  trackId: string,
): Promise<{ cache: Cache; record: SavedFile } | null> {
  const name = savedCacheName(userId, trackId);
  if (!(await storage.has(name))) return null;
  const cache = await storage.open(name);
  const record = await loadRecord(cache);
  return record && { cache, record };
}

export type ByteRange = { start: number; /** The last byte, included. */ end: number };

/**
 * The part that a Range header asks for. Null means the whole file: no header, several ranges, or an
 * invalid one. `unsatisfiable` starts beyond the end.
 */
export function parseRange(
  header: string | null,
  size: number,
): ByteRange | null | 'unsatisfiable' {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? [];
  if (!first && !last) return null;
  if (!first) {
    const length = Math.min(Number(last), size);
    return length > 0 ? { start: size - length, end: size - 1 } : 'unsatisfiable';
  }
  const start = Number(first);
  const end = last ? Math.min(Number(last), size - 1) : size - 1;
  if (last && Number(last) < start) return null;
  return start < size ? { start, end } : 'unsatisfiable';
}

export type ChunkPart = { index: number; from: number; /** Not included. */ to: number };

/** The bytes of each chunk that make up a range, in order. */
export function planChunks({ start, end }: ByteRange, chunkBytes = CHUNK_BYTES): ChunkPart[] {
  const parts: ChunkPart[] = [];
  for (let at = start; at <= end;) {
    const index = Math.floor(at / chunkBytes);
    const from = at - index * chunkBytes;
    const to = Math.min(chunkBytes, end + 1 - index * chunkBytes);
    parts.push({ index, from, to });
    at += to - from;
  }
  return parts;
}
