import { registerRoute } from 'workbox-routing';
import { apiCacheName, loadAccount, saveUser, type CurrentUser } from '#web/offline/account.ts';

declare const self: ServiceWorkerGlobalScope;

/** The time on the server's clock, not on this device's. */
const parseServerTime = (response: Response): number =>
  Date.parse(response.headers.get('date') ?? '') || Date.now();

const USER_PATH = '/api/auth/me';

/** The page also reads the user from this cache, when the server doesn't answer. */
async function saveAnsweredUser(response: Response): Promise<void> {
  const user = (await response.clone().json()) as CurrentUser;
  await saveUser(self.caches, user, parseServerTime(response));
  const cache = await self.caches.open(apiCacheName(user.id));
  await cache.put(USER_PATH, response.clone());
}

async function findSavedUser(): Promise<Response | undefined> {
  const account = await loadAccount(self.caches);
  const cache = account && (await self.caches.open(apiCacheName(account.userId)));
  return cache?.match(USER_PATH);
}

/** The current user; without a network, the last known one. */
async function respondWithCurrentUser(request: Request): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(request);
  } catch (error) {
    const last = await findSavedUser();
    if (last) return last;
    throw error;
  }
  if (response.status === 401) await saveUser(self.caches, null, parseServerTime(response));
  if (response.ok) await saveAnsweredUser(response);
  return response;
}

/** Every response that identifies the user decides what stays on this device. */
export function watchAccount(): void {
  registerRoute(
    ({ url, sameOrigin }) => sameOrigin && url.pathname === USER_PATH,
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
