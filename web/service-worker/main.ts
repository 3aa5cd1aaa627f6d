import {
  cleanupOutdatedCaches,
  createHandlerBoundToURL,
  precacheAndRoute,
} from 'workbox-precaching';
import { NavigationRoute, registerRoute, setCatchHandler } from 'workbox-routing';
import { respondFromApi, isOfflineApi } from './api-responses.ts';
import { respondWithCover, respondWithAudio, mayBeSaved, parseAudioPath } from './saved-audio.ts';
import { SERVER_PAGES } from './server-pages.ts';
import { watchAccount } from './watch-account.ts';

declare const self: ServiceWorkerGlobalScope;

const SHELL = '/';
/** The server replaces this; it changes with the page and the settings. */
const SHELL_REVISION = '__SHELL_REVISION__';

precacheAndRoute([{ url: SHELL, revision: SHELL_REVISION }, ...PRECACHED]);
cleanupOutdatedCaches();

const respondWithShell = createHandlerBoundToURL(SHELL);
registerRoute(new NavigationRoute(respondWithShell, { denylist: SERVER_PAGES }));
setCatchHandler((options) =>
  options.request.mode === 'navigate'
    ? respondWithShell(options)
    : Promise.resolve(Response.error()),
);

watchAccount();

registerRoute(
  ({ url, sameOrigin }) => sameOrigin && isOfflineApi(url),
  ({ request }) => respondFromApi(request),
);
registerRoute(
  ({ url, sameOrigin }) => {
    const audio = sameOrigin ? parseAudioPath(url.pathname) : null;
    return audio !== null && mayBeSaved(audio.trackId);
  },
  ({ request }) => respondWithAudio(request),
);
registerRoute(
  ({ url, sameOrigin }) => sameOrigin && url.pathname.startsWith('/media/covers/'),
  ({ request }) => respondWithCover(request),
);

self.addEventListener('message', ({ data }) => {
  // Only on request: a page must not change while it plays.
  if ((data as { type?: string } | null)?.type === 'SKIP_WAITING') void self.skipWaiting();
});
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));
