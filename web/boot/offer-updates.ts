import { showToast } from '#web/lib/store/toasts.ts';

/**
 * Offers a newer version of the app, and switches only when the user agrees. Call it before the page
 * registers its worker; what it returns looks at the registration.
 */
export function offerUpdates(
  serviceWorker: ServiceWorkerContainer,
): (registration: ServiceWorkerRegistration) => void {
  // WebKit changes the controller before it reports that, and lets other tasks run in between: only
  // another worker than the last one is an update.
  let { controller } = serviceWorker;
  let isReloadRequested = false;

  const offer = (onSelect: () => void) =>
    showToast({
      title: 'Update available',
      description: 'Reload when you’re ready. Playback will pause briefly.',
      action: { label: 'Reload', onSelect },
      isPersistent: true,
    });

  serviceWorker.addEventListener('controllerchange', () => {
    if (isReloadRequested) return window.location.reload();
    const before = controller;
    controller = serviceWorker.controller;
    // The first worker of a browser only takes over the pages that are open.
    if (before && controller && controller !== before) offer(() => window.location.reload());
  });

  const offerWaiting = (worker: ServiceWorker) =>
    offer(() => {
      isReloadRequested = true;
      worker.postMessage({ type: 'SKIP_WAITING' });
    });
  const watch = (worker: ServiceWorker) =>
    worker.addEventListener('statechange', () => {
      if (worker.state === 'installed' && serviceWorker.controller) offerWaiting(worker);
    });

  return (registration) => {
    if (registration.waiting && serviceWorker.controller) offerWaiting(registration.waiting);
    if (registration.installing) watch(registration.installing);
    registration.addEventListener('updatefound', () => {
      if (registration.installing) watch(registration.installing);
    });
  };
}
