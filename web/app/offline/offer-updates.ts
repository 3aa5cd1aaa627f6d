import { showToast } from '#web/lib/toasts.ts';

/** Says that a newer app waits, and changes to it when the person says so: never by itself. */
export function offerUpdates(registration: ServiceWorkerRegistration): void {
  const { serviceWorker } = navigator;
  let hadController = serviceWorker.controller !== null;
  let isAsked = false;

  const offer = (onSelect: () => void) =>
    showToast({
      title: 'A new version is ready',
      description: 'Reload when it suits you. What plays stops for a moment.',
      action: { label: 'Reload', onSelect },
      isPersistent: true,
    });

  const offerWaiting = (worker: ServiceWorker) =>
    offer(() => {
      isAsked = true;
      worker.postMessage({ type: 'SKIP_WAITING' });
    });

  serviceWorker.addEventListener('controllerchange', () => {
    if (isAsked) return window.location.reload();
    // The first worker of this browser takes over the page that installed it: nothing is newer.
    if (hadController) offer(() => window.location.reload());
    hadController = true;
  });

  const watch = (worker: ServiceWorker) =>
    worker.addEventListener('statechange', () => {
      if (worker.state === 'installed' && serviceWorker.controller) offerWaiting(worker);
    });
  if (registration.waiting && serviceWorker.controller) offerWaiting(registration.waiting);
  if (registration.installing) watch(registration.installing);
  registration.addEventListener('updatefound', () => {
    if (registration.installing) watch(registration.installing);
  });
}
