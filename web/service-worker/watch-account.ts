import { registerRoute } from 'workbox-routing';
import { apiCacheName, loadAccount, saveUser, type CurrentUser } from '#web/offline/account.ts';

declare const self: ServiceWorkerGlobalScope;

/** The time on the server's clock, not on this device's. */
const parseServerTime = (response: Response): number =>
  Date.parse(response.headers.get('date') ?? '') || Date.now();

async function saveAnsweredUser(response: Response): Promise<void> {
  const user = (await response.clone().json()) as CurrentUser;
  await saveUser(self.caches, user, parseServerTime(response));
}

async function openApiCache(): Promise<Cache | null> {
  const account = await loadAccount(self.caches);
  return account && self.caches.open(apiCacheName(account.userId));
}

/** The current user; without a network, the last known one. */
async function respondWithCurrentUser(request: Request): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(request);
  } catch (error) {
    const cache = await openApiCache();
    const last = await cache?.match('/api/auth/me');
    if (last) return last;
    throw error;
  }
  if (response.status === 401) await saveUser(self.caches, null, parseServerTime(response));
  if (response.ok) {
    await saveAnsweredUser(response);
    const cache = await openApiCache();
    await cache?.put('/api/auth/me', response.clone());
  }
  return response;
}

/** Every response that identifies the user decides what stays on this device. */
export function watchAccount(): void {
  registerRoute(
    ({ url, sameOrigin }) => sameOrigin && url.pathname === '/api/auth/me',
    ({ request }) => respondWithCurrentUser(request),
  );
  registerRoute(
    ({ url, sameOrigin }) =>
      sameOrigin && ['/api/auth/login', '/api/auth/register'].includes(url.pathname),
    async ({ request }) => {
      const response = await fetch(request);
      if (response.ok) await saveAnsweredUser(response);
      return response;
    },
    'POST',
  );
  registerRoute(
    ({ url, sameOrigin }) => sameOrigin && url.pathname === '/api/auth/logout',
    async ({ request }) => {
      const response = await fetch(request);
      if (response.ok) await saveUser(self.caches, null, parseServerTime(response));
      return response;
    },
    'POST',
  );
}
