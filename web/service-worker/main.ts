import {
  cleanupOutdatedCaches,
  createHandlerBoundToURL,
  precacheAndRoute,
} from 'workbox-precaching';
import { NavigationRoute, registerRoute, setCatchHandler } from 'workbox-routing';
import { answerApi, isOfflineApi } from './api-answers.ts';
import { answerCover, answerSound, mayBeKept, parseSoundPath } from './kept-answers.ts';
import { SERVER_PAGES } from './server-pages.ts';
import { watchAccount } from './watch-account.ts';

declare const self: ServiceWorkerGlobalScope;

const SHELL = '/';
/** Written in by the server: it changes with the page, and the page with the settings. */
const SHELL_REVISION = '__SHELL_REVISION__';

precacheAndRoute([{ url: SHELL, revision: SHELL_REVISION }, ...PRECACHED]);
cleanupOutdatedCaches();

const answerShell = createHandlerBoundToURL(SHELL);
registerRoute(new NavigationRoute(answerShell, { denylist: SERVER_PAGES }));
setCatchHandler((options) =>
  options.request.mode === 'navigate' ? answerShell(options) : Promise.resolve(Response.error()),
);

watchAccount();

registerRoute(
  ({ url, sameOrigin }) => sameOrigin && isOfflineApi(url),
  ({ request }) => answerApi(request),
);
registerRoute(
  ({ url, sameOrigin }) => {
    const sound = sameOrigin ? parseSoundPath(url.pathname) : null;
    return sound !== null && mayBeKept(sound.trackId);
  },
  ({ request }) => answerSound(request),
);
registerRoute(
  ({ url, sameOrigin }) => sameOrigin && url.pathname.startsWith('/media/covers/'),
  ({ request }) => answerCover(request),
);

self.addEventListener('message', ({ data }) => {
  // Only when a person has asked for it: a page that plays must not change under its listener.
  if ((data as { type?: string } | null)?.type === 'SKIP_WAITING') void self.skipWaiting();
});
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));
