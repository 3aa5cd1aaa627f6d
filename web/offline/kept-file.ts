import type { TrackDetail } from '#contract/tracks.ts';

/** Small enough that little is lost when a line breaks, large enough that a mix is not in crumbs. */
export const CHUNK_BYTES = 256 * 1024;

/** A mix in the browser's store: what the page and the player need of it, and its sound in chunks. */
export type KeptFile = {
  track: TrackDetail;
  peaks: { peaks: number[] };
  /** The address whose bytes these are; another version of the mix has another. */
  fileUrl: string;
  mediaType: string;
  size: number;
  keptAt: number;
  isComplete: boolean;
};

/** One cache for each account and mix: nobody reads another's, and it goes in one piece. */
export const keptCacheName = (userId: string, trackId: string): string =>
  `kept:${encodeURIComponent(userId)}:${encodeURIComponent(trackId)}`;

export const isKeptCache = (name: string, userId?: string): boolean =>
  name.startsWith(userId === undefined ? 'kept:' : `kept:${encodeURIComponent(userId)}:`);

export const RECORD_URL = '/offline/record';
export const chunkUrl = (index: number): string => `/offline/chunk/${index}`;
export const countChunks = (size: number): number => Math.ceil(size / CHUNK_BYTES);

export async function readRecord(cache: Cache): Promise<KeptFile | null> {
  const stored = await cache.match(RECORD_URL);
  return stored ? ((await stored.json()) as KeptFile) : null;
}

export const writeRecord = (cache: Cache, record: KeptFile): Promise<void> =>
  cache.put(RECORD_URL, Response.json(record));

/** Every mix that this account keeps in this browser, the latest first. */
export async function listKept(storage: CacheStorage, userId: string): Promise<KeptFile[]> {
  const names = (await storage.keys()).filter((name) => isKeptCache(name, userId));
  const records = await Promise.all(
    names.map(async (name) => readRecord(await storage.open(name))),
  );
  return records.filter((record) => record !== null).toSorted((a, b) => b.keptAt - a.keptAt);
}

export async function findKept(
  storage: CacheStorage,
  userId: string,
  trackId: string,
): Promise<{ cache: Cache; record: KeptFile } | null> {
  const name = keptCacheName(userId, trackId);
  if (!(await storage.has(name))) return null;
  const cache = await storage.open(name);
  const record = await readRecord(cache);
  return record && { cache, record };
}
