import type { User } from '#contract/accounts.ts';
import { HOUR } from '#contract/rules/time.ts';
import { request } from '#web/lib/api/api.ts';
import { CANNOT_PLAY, showToast } from '#web/lib/store/toasts.ts';
import { readDehydratedQueries } from './dehydrated-queries.ts';
import { offerUpdates } from './offer-updates.ts';
import { apiCacheName, loadAccount, QUEUE_URL, REMOVED_URL } from '#web/offline/store/account.ts';
import { isOfflineApi } from '#web/offline/offline-api.ts';

const UPDATE_CHECK_INTERVAL_MS = HOUR;
const USER_PATH = '/api/auth/me';

const refusals: Record<string, string> = {
  expired: 'Your offline access has expired. Go online once to renew it.',
  'clock-set-back': 'Your device’s clock looks wrong. Correct it, or go online once.',
};

/** An audio element cannot say why it got no data. */
function explainRefusals(): void {
  navigator.serviceWorker.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    const { type, reason } = (data ?? {}) as { type?: string; reason?: string };
    if (type === 'SAVES_REMOVED') continueSaves().catch(() => undefined);
    if (type !== 'LEASE_REFUSED') return;
    showToast({
      title: CANNOT_PLAY,
      description: refusals[reason ?? ''] ?? refusals.expired ?? '',
      variant: 'destructive',
    });
  });
}

async function showOffline(): Promise<void> {
  // Without the service worker nothing works offline, not even this toast.
  if (!navigator.serviceWorker.controller) return;
  const account = await loadAccount(caches);
  showToast({
    title: 'You’re offline',
    description: account?.lease
      ? 'You can still play your saved mixes.'
      : 'What’s already loaded still works. The rest returns when you’re back online.',
  });
}

/**
 * On a first visit the worker starts after the page has loaded, so the page asks again who the user
 * is. The worker keeps answers for when there is no network, but hasn't seen those in the page.
 */
async function informWorker(): Promise<void> {
  const answers = readDehydratedQueries();
  const isVisitor = answers.some(([[path], user]) => path === USER_PATH && user === null);
  if (isVisitor) return;
  const { serviceWorker } = navigator;
  if (!serviceWorker.controller) {
    await new Promise((resolve) =>
      serviceWorker.addEventListener('controllerchange', resolve, { once: true }),
    );
    await request(USER_PATH).catch(() => undefined);
  }
  const account = await loadAccount(caches);
  const [, user] = answers.find(([[path]]) => path === USER_PATH) ?? [];
  if (!account || account.userId !== (user as User | undefined)?.id) return;
  const cache = await caches.open(apiCacheName(account.userId));
  for (const [[path], data] of answers) {
    const url = new URL(String(path), window.location.origin);
    if (isOfflineApi(url)) await cache.put(url, Response.json(data));
  }
}

/** What an earlier visit queued goes on, also after a power cut; and who had copies removed is told. */
async function continueSaves(): Promise<void> {
  if (!(await caches.match(QUEUE_URL)) && !(await caches.match(REMOVED_URL))) return;
  const { continueSavesAtStart } = await import('#web/features/downloads/offline-store.ts');
  await continueSavesAtStart();
}

/** Starts the service worker and the offline messages; call once the page has loaded. */
export async function startOffline(): Promise<void> {
  if (!('serviceWorker' in navigator)) return;
  explainRefusals();
  // Storage may be blocked, and its code may not load without the network.
  continueSaves().catch(() => undefined);
  void informWorker();
  window.addEventListener('offline', () => void showOffline());
  if (!navigator.onLine) void showOffline();
  try {
    const { serviceWorker } = navigator;
    const offerNewer = offerUpdates(serviceWorker);
    const registration = await serviceWorker.register('/service-worker.js', { scope: '/' });
    offerNewer(registration);
    setInterval(() => {
      // Without a network there is no update either.
      registration.update().catch(() => undefined);
    }, UPDATE_CHECK_INTERVAL_MS);
  } catch (error) {
    console.warn('This browser doesn’t support offline use.', error);
  }
}
