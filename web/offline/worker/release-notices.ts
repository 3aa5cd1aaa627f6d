import { readNotice, toPage } from './read-notice.ts';

declare const self: ServiceWorkerGlobalScope;

/** Another page may be playing, so it stays as it is. */
async function openPage(url: string): Promise<void> {
  const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const open = pages.find((page) => page.url === url);
  await (open ? open.focus() : self.clients.openWindow(url));
}

/** The push service has given the device a new address. */
async function renewSubscription(old: PushSubscription | null | undefined): Promise<void> {
  const options = old?.options;
  if (!options) return;
  const { endpoint, keys } = (await self.registration.pushManager.subscribe(options)).toJSON();
  await fetch('/api/me/notifications', {
    method: 'PUT',
    credentials: 'include',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ endpoint, keys }),
  });
}

export function showReleaseNotices(): void {
  self.addEventListener('push', (event) => {
    const { title, body, path, tag } = readNotice(event.data);
    const icons = { icon: '/icon-192.png', badge: '/icon-192.png' };
    event.waitUntil(
      self.registration.showNotification(title, { body, tag, data: { path }, ...icons }),
    );
  });
  self.addEventListener('notificationclick', (event) => {
    event.notification.close();
    const { path } = (event.notification.data ?? {}) as { path?: unknown };
    event.waitUntil(openPage(toPage(path, self.location.origin)));
  });
  self.addEventListener('pushsubscriptionchange', (event) => {
    const { oldSubscription } = event as ExtendableEvent & {
      oldSubscription?: PushSubscription | null;
    };
    (event as ExtendableEvent).waitUntil(renewSubscription(oldSubscription));
  });
}
