import { loadAccount } from '#web/offline/store/account.ts';
import { hasRemoved, removeRefusedSaves } from '#web/offline/store/refused-saves.ts';
import { registerRoute } from 'workbox-routing';
import { createSessionAnswers, findSavedUser } from './session-answers.ts';

declare const self: ServiceWorkerGlobalScope;

const answers = createSessionAnswers(self.caches);

/** The current user; without a network, the last known one. */
async function fetchCurrentUser(request: Request): Promise<Response> {
  try {
    return await answers.check(() => fetch(request));
  } catch (error) {
    const last = await findSavedUser(self.caches);
    if (last) return last;
    throw error;
  }
}

/** What the site doesn't let members keep any more goes with the next contact. */
async function removeRefused(): Promise<void> {
  const account = await loadAccount(self.caches);
  if (!account) return;
  await removeRefusedSaves(self.caches, account.userId);
  if (!(await hasRemoved(self.caches))) return;
  const channel = new BroadcastChannel('saves');
  channel.postMessage('changed');
  channel.close();
  for (const client of await self.clients.matchAll()) client.postMessage({ type: 'SAVES_REMOVED' });
}

/** Every response that identifies the user decides what stays on this device. */
export function watchAccount(): void {
  registerRoute(
    ({ url, sameOrigin }) => sameOrigin && url.pathname === '/api/auth/me',
    async ({ request, event }) => {
      const response = await fetchCurrentUser(request);
      if (response.ok) event.waitUntil(removeRefused().catch(() => undefined));
      return response;
    },
  );
  registerRoute(
    ({ url, sameOrigin }) =>
      sameOrigin && ['/api/auth/login', '/api/auth/register'].includes(url.pathname),
    ({ request }) => answers.logIn(() => fetch(request)),
    'POST',
  );
  registerRoute(
    ({ url, sameOrigin }) => sameOrigin && url.pathname === '/api/auth/logout',
    ({ request }) => answers.logOut(() => fetch(request)),
    'POST',
  );
}
