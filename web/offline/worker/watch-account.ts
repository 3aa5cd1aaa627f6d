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

/** Every response that identifies the user decides what stays on this device. */
export function watchAccount(): void {
  registerRoute(
    ({ url, sameOrigin }) => sameOrigin && url.pathname === '/api/auth/me',
    ({ request }) => fetchCurrentUser(request),
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
