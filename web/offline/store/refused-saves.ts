import { REMOVED_URL, STATE_CACHE } from './account.ts';
import { isSavedCache, savedCacheName } from './saved-file.ts';

/** As many as the server looks at in one request. */
const AT_ONCE = 50;

/** The ids of the tracks that are saved, also in part. */
const listSavedIds = async (storage: CacheStorage, userId: string): Promise<string[]> =>
  (await storage.keys())
    .filter((name) => isSavedCache(name, userId))
    .map((name) => decodeURIComponent(name.split(':')[2] ?? ''));

async function fetchAllowed(ids: readonly string[], fetchFile: typeof fetch): Promise<string[]> {
  const query = new URLSearchParams({ ids: ids.join(',') }).toString();
  const response = await fetchFile(`/api/me/saved-tracks?${query}`, { credentials: 'include' });
  // Without an answer everything stays: the lease ends by itself.
  if (!response.ok) return [...ids];
  return ((await response.json()) as { ids: string[] }).ids;
}

/** Removes the copies that the site doesn't let members keep any more. True if there were any. */
export async function removeRefusedSaves(
  storage: CacheStorage,
  userId: string,
  fetchFile: typeof fetch = fetch,
): Promise<boolean> {
  const saved = await listSavedIds(storage, userId);
  const refused: string[] = [];
  for (let from = 0; from < saved.length; from += AT_ONCE) {
    const ids = saved.slice(from, from + AT_ONCE);
    const allowed = await fetchAllowed(ids, fetchFile);
    refused.push(...ids.filter((id) => !allowed.includes(id)));
  }
  for (const id of refused) await storage.delete(savedCacheName(userId, id));
  if (refused.length > 0) await noteRemoved(storage);
  return refused.length > 0;
}

export async function noteRemoved(storage: CacheStorage): Promise<void> {
  await (await storage.open(STATE_CACHE)).put(REMOVED_URL, new Response('1'));
}

const openState = async (storage: CacheStorage): Promise<Cache | null> =>
  (await storage.has(STATE_CACHE)) ? storage.open(STATE_CACHE) : null;

/** Copies were removed, and nobody has been told. */
export const hasRemoved = async (storage: CacheStorage): Promise<boolean> =>
  (await (await openState(storage))?.match(REMOVED_URL)) !== undefined;

/** True once after copies were removed. */
export const takeRemoved = async (storage: CacheStorage): Promise<boolean> =>
  (await (await openState(storage))?.delete(REMOVED_URL)) ?? false;
