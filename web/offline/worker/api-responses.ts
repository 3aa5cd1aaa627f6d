import { apiCacheName, loadAccount } from '#web/offline/store/account.ts';
import { findSavedFile } from '#web/offline/store/saved-file.ts';

declare const self: ServiceWorkerGlobalScope;

/** Enough for what the user looked at recently. */
const MAX_RESPONSES = 60;

async function cacheResponse(cache: Cache, request: Request, response: Response): Promise<void> {
  await cache.put(request.url, response);
  const keys = await cache.keys();
  const old = keys.filter(({ url }) => !url.endsWith('/api/auth/me')).slice(0, -MAX_RESPONSES);
  await Promise.all(old.map((key) => cache.delete(key)));
}

/** A saved track includes the data of its page, even if the user has not opened it recently. */
async function findSavedResponse(userId: string, url: URL): Promise<Response | null> {
  const [, id = '', part] = /^\/api\/tracks\/([^/]+)(\/peaks)?$/.exec(url.pathname) ?? [];
  const saved = id && (await findSavedFile(self.caches, userId, decodeURIComponent(id)));
  if (!saved) return null;
  return Response.json(part ? saved.record.peaks : saved.record.track);
}

/**
 * Tries the network first, then the account's cache. The cache is chosen before the request, so that
 * a late response goes to the account that made the request.
 */
export async function respondFromApi(request: Request): Promise<Response> {
  const account = await loadAccount(self.caches);
  const cache = account && (await self.caches.open(apiCacheName(account.userId)));
  try {
    const response = await fetch(request);
    if (response.ok && cache) await cacheResponse(cache, request, response.clone());
    return response;
  } catch (error) {
    const url = new URL(request.url);
    const last =
      account &&
      ((await findSavedResponse(account.userId, url)) ?? (await cache?.match(request.url)));
    if (last) return last;
    throw error;
  }
}
