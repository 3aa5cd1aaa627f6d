import { apiCacheName, readAccount } from '#web/offline/account.ts';
import { findKept } from '#web/offline/kept-file.ts';

declare const self: ServiceWorkerGlobalScope;

/** Enough for what somebody looked at lately. */
const KEPT_ANSWERS = 60;

/** What pages show without a network: lists and mixes, never a form, a search or an admin's page. */
const offlinePaths = [
  /^\/api\/tracks(?:\/[^/]+(?:\/peaks|\/favorite)?)?$/,
  /^\/api\/(?:top-20|favorites|downloads|history|playlists)$/,
];
const leftOut = ['/api/tracks/search', '/api/tracks/suggest'];

export const isOfflineApi = ({ pathname }: URL): boolean =>
  !leftOut.includes(pathname) && offlinePaths.some((pattern) => pattern.test(pathname));

async function keepAnswer(cache: Cache, request: Request, response: Response): Promise<void> {
  await cache.put(request.url, response);
  const keys = await cache.keys();
  const old = keys.filter(({ url }) => !url.endsWith('/api/auth/me')).slice(0, -KEPT_ANSWERS);
  await Promise.all(old.map((key) => cache.delete(key)));
}

/** A kept mix brings its own page along, also when that was not looked at lately. */
async function readFromKept(userId: string, url: URL): Promise<Response | null> {
  const [, id = '', part] = /^\/api\/tracks\/([^/]+)(\/peaks)?$/.exec(url.pathname) ?? [];
  const kept = id && (await findKept(self.caches, userId, decodeURIComponent(id)));
  if (!kept) return null;
  return Response.json(part ? kept.record.peaks : kept.record.track);
}

/**
 * The network first, and without it what this account was last told. Each account has a cache of
 * its own, chosen before the question is asked: an answer that is late lands with whoever asked.
 */
export async function answerApi(request: Request): Promise<Response> {
  const account = await readAccount(self.caches);
  const cache = account && (await self.caches.open(apiCacheName(account.userId)));
  try {
    const response = await fetch(request);
    if (response.ok && cache) await keepAnswer(cache, request, response.clone());
    return response;
  } catch (error) {
    const url = new URL(request.url);
    const last =
      account && ((await readFromKept(account.userId, url)) ?? (await cache?.match(request.url)));
    if (last) return last;
    throw error;
  }
}
