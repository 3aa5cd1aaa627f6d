/** The part of a browser's CacheStorage that the offline store uses, in memory. */
const toUrl = (key: RequestInfo | URL): string =>
  new URL(key instanceof Request ? key.url : key, 'http://site').href;

function createCache() {
  const entries = new Map<string, Response>();
  return {
    match: async (key: RequestInfo | URL) => entries.get(toUrl(key))?.clone(),
    put: async (key: RequestInfo | URL, response: Response) => {
      entries.delete(toUrl(key));
      entries.set(toUrl(key), response);
    },
    delete: async (key: RequestInfo | URL) => entries.delete(toUrl(key)),
    keys: async () => [...entries.keys()].map((url) => new Request(url)),
  } as unknown as Cache;
}

export function createMemoryCaches(): CacheStorage {
  const caches = new Map<string, Cache>();
  return {
    open: async (name: string) => {
      const cache = caches.get(name) ?? createCache();
      caches.set(name, cache);
      return cache;
    },
    has: async (name: string) => caches.has(name),
    delete: async (name: string) => caches.delete(name),
    keys: async () => [...caches.keys()],
  } as unknown as CacheStorage;
}
