import { registerRoute } from 'workbox-routing';
import { apiCacheName, noteUser, readAccount } from '#web/offline/account.ts';

declare const self: ServiceWorkerGlobalScope;

type User = { id: string; offlineUntil: number | null };

/** The server's clock, not this device's. */
const readServerTime = (response: Response): number =>
  Date.parse(response.headers.get('date') ?? '') || Date.now();

async function noteAnswer(response: Response): Promise<void> {
  const user = (await response.clone().json()) as User;
  await noteUser(self.caches, user, readServerTime(response));
}

/** Who is signed in; without a network, who was when there was one. */
async function answerCurrentUser(request: Request): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(request);
  } catch (error) {
    const account = await readAccount(self.caches);
    const kept = account && (await self.caches.open(apiCacheName(account.userId)));
    const last = await kept?.match('/api/auth/me');
    if (last) return last;
    throw error;
  }
  if (response.status === 401) await noteUser(self.caches, null, readServerTime(response));
  if (response.ok) {
    await noteAnswer(response);
    const account = await readAccount(self.caches);
    const cache = account && (await self.caches.open(apiCacheName(account.userId)));
    await cache?.put('/api/auth/me', response.clone());
  }
  return response;
}

/** Every answer that says who is signed in decides what stays on this device. */
export function watchAccount(): void {
  registerRoute(
    ({ url, sameOrigin }) => sameOrigin && url.pathname === '/api/auth/me',
    ({ request }) => answerCurrentUser(request),
  );
  registerRoute(
    ({ url, sameOrigin }) =>
      sameOrigin && ['/api/auth/login', '/api/auth/register'].includes(url.pathname),
    async ({ request }) => {
      const response = await fetch(request);
      if (response.ok) await noteAnswer(response);
      return response;
    },
    'POST',
  );
  registerRoute(
    ({ url, sameOrigin }) => sameOrigin && url.pathname === '/api/auth/logout',
    async ({ request }) => {
      const response = await fetch(request);
      if (response.ok) await noteUser(self.caches, null, readServerTime(response));
      return response;
    },
    'POST',
  );
}
