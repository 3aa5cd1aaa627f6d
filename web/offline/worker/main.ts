import {
  cleanupOutdatedCaches,
  createHandlerBoundToURL,
  precacheAndRoute,
} from 'workbox-precaching';
import { NavigationRoute, registerRoute, setCatchHandler } from 'workbox-routing';
import { isOfflineApi } from '#web/offline/offline-api.ts';
import { respondFromApi } from './api-responses.ts';
import { saveInBackground } from './background-saves.ts';
import {
  loadSavedIds,
  mayBeSaved,
  parseAudioPath,
  respondWithAudio,
  respondWithCover,
} from './saved-audio.ts';
import { respondWithSleeve } from './drawn-sleeves.ts';
import { showReleaseNotices } from './release-notices.ts';
import { SERVER_PAGES } from './server-pages.ts';
import { watchAccount } from './watch-account.ts';

declare const self: ServiceWorkerGlobalScope;

/** The page without content, which the app fills. */
const SHELL = '/app-shell.html';
/** The server replaces this; it changes with the page and the settings. */
const SHELL_REVISION = '__SHELL_REVISION__';

precacheAndRoute([{ url: SHELL, revision: SHELL_REVISION }, ...PRECACHED]);
cleanupOutdatedCaches();

const respondWithShell = createHandlerBoundToURL(SHELL);

/** How long the server may take before the app shows what this device has kept. */
const PATIENCE_MS = 2_000;

/** The server's page has its content. Without it, or on a slow line, the app starts on its own. */
const respondWithPage: typeof respondWithShell = async (options) => {
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, PATIENCE_MS, undefined));
  const { request } = options;
  const page = fetch(request).then(
    (response) => (response.status < 500 ? response : undefined),
    () => undefined,
  );
  return (await Promise.race([page, late])) ?? respondWithShell(options);
};
registerRoute(new NavigationRoute(respondWithPage, { denylist: SERVER_PAGES }));
setCatchHandler((options) =>
  options.request.mode === 'navigate'
    ? respondWithShell(options)
    : Promise.resolve(Response.error()),
);

watchAccount();
showReleaseNotices();
saveInBackground(() => void loadSavedIds());

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
// Drawn here, so that sleeves need no network.
registerRoute(
  ({ url, sameOrigin }) => sameOrigin && /^\/media\/sleeves\/[^/]+\.svg$/.test(url.pathname),
  ({ request, url }) => respondWithSleeve(request, url.pathname),
);

self.addEventListener('message', ({ data }) => {
  // Only on request: a page must not change while it plays.
  if ((data as { type?: string } | null)?.type === 'SKIP_WAITING') void self.skipWaiting();
});
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));
