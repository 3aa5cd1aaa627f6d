import type { PushSubscriptionBody } from '#contract/clients/notifications.ts';

/** What this browser can do: `blocked` if the user has refused notifications from this site. */
export type NoticeSupport = 'yes' | 'no' | 'blocked';

export function findNoticeSupport(): NoticeSupport {
  const canPush =
    'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window;
  if (!canPush) return 'no';
  return Notification.permission === 'denied' ? 'blocked' : 'yes';
}

/** Whether this browser itself still has a subscription; the user can remove it there too. */
export async function hasOwnSubscription(): Promise<boolean> {
  const registration = await navigator.serviceWorker?.getRegistration();
  return Boolean(await registration?.pushManager.getSubscription());
}

async function subscribe(publicKey: string): Promise<PushSubscription> {
  const { pushManager } = await navigator.serviceWorker.ready;
  const options = { userVisibleOnly: true, applicationServerKey: publicKey };
  try {
    return await pushManager.subscribe(options);
  } catch (error) {
    const old = await pushManager.getSubscription();
    // It belongs to an earlier key of the site.
    if (!old) throw error;
    await old.unsubscribe();
    return pushManager.subscribe(options);
  }
}

/**
 * Call it when the user presses something: the browser then asks for permission. Null if the user
 * dismisses the question.
 */
export async function subscribeDevice(
  loadKey: () => Promise<{ publicKey: string } | null>,
): Promise<PushSubscriptionBody | null> {
  const permission = await Notification.requestPermission();
  if (permission === 'denied')
    throw new Error('Your browser blocks notifications from this site. Allow them there first.');
  const key = permission === 'granted' ? await loadKey() : null;
  if (!key) return null;
  const { endpoint = '', keys } = (await subscribe(key.publicKey)).toJSON();
  return { endpoint, keys: { p256dh: keys?.p256dh ?? '', auth: keys?.auth ?? '' } };
}

export async function unsubscribeDevice(): Promise<void> {
  const registration = await navigator.serviceWorker.getRegistration();
  const subscription = await registration?.pushManager.getSubscription();
  await subscription?.unsubscribe();
}
