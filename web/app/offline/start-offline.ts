import { readAccount } from '#web/offline/account.ts';
import { showToast, toastStore } from '#web/lib/toasts.ts';
import { PLAYBACK_HALTED_EVENT } from '#web/player/browser-player.ts';
import { offerUpdates } from './offer-updates.ts';
import { HOUR } from '#contract/rules/time.ts';

/** As often as the version is asked for. */
const UPDATE_CHECK_INTERVAL_MS = HOUR;

const CANNOT_PLAY = 'This mix cannot play now';

const refusals: Record<string, string> = {
  over: 'Its time without a connection is over. Go online once, and it plays on with your subscription.',
  'clock-set-back':
    'The clock of this device stands before a time it has shown already. Set it right, or go online once.',
};

/** An audio element cannot say why it got nothing. */
function explainRefusals(): void {
  navigator.serviceWorker.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    const { type, reason } = (data ?? {}) as { type?: string; reason?: string };
    if (type !== 'LEASE_REFUSED') return;
    showToast({
      title: CANNOT_PLAY,
      description: refusals[reason ?? ''] ?? refusals.over ?? '',
      variant: 'destructive',
    });
  });
}

/** The player waits with its queue; where the worker has said why already, that says more. */
function tellHalted(): void {
  const shown = toastStore.get();
  if (shown?.open && shown.title === CANNOT_PLAY) return;
  showToast({
    title: CANNOT_PLAY,
    description: 'The connection seems to be lost. Your queue is kept: press Play to try again.',
    variant: 'destructive',
  });
}

async function tellOffline(): Promise<void> {
  // Without the worker nothing was kept, not even the code of this toast.
  if (!navigator.serviceWorker.controller) return;
  const account = await readAccount(caches);
  showToast({
    title: 'You are offline',
    description: account?.lease
      ? 'Mixes you keep offline play on. They are under Downloaded.'
      : 'What was loaded stays. The rest comes with the connection.',
  });
}

/** The worker of a first visit comes after the page has asked who is signed in: it is told once. */
function introduceListener(): void {
  const { serviceWorker } = navigator;
  if (serviceWorker.controller) return;
  const ask = () => void fetch('/api/auth/me').catch(() => undefined);
  serviceWorker.addEventListener('controllerchange', ask, { once: true });
}

/** Keeps the app and what its listener keeps; called once the page has loaded. */
export async function startOffline(): Promise<void> {
  window.addEventListener(PLAYBACK_HALTED_EVENT, tellHalted);
  if (!('serviceWorker' in navigator)) return;
  explainRefusals();
  introduceListener();
  window.addEventListener('offline', () => void tellOffline());
  if (!navigator.onLine) void tellOffline();
  try {
    const registration = await navigator.serviceWorker.register('/service-worker.js', {
      scope: '/',
    });
    offerUpdates(registration);
    setInterval(() => {
      // Without a network there is nothing new either.
      registration.update().catch(() => undefined);
    }, UPDATE_CHECK_INTERVAL_MS);
  } catch (error) {
    console.warn('The site cannot be kept for offline use here.', error);
  }
}
