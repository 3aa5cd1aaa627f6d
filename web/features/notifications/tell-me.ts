import type { QueryClient } from '@tanstack/react-query';
import type { User } from '#contract/accounts.ts';
import { call } from '#web/lib/api/api.ts';
import { refreshPaths } from '#web/lib/api/api-query.ts';
import { showErrorToast, showToast } from '#web/lib/store/toasts.ts';
import { notificationsQuery } from './api.ts';
import { findNoticeSupport, hasOwnSubscription, subscribeDevice } from './device.ts';

const IN_SETTINGS = 'You can change that in Settings.';

/** Turns notices on for this device. Returns whether they are on. */
async function tellOnDevice(client: QueryClient): Promise<boolean> {
  if (findNoticeSupport() !== 'yes' || !(await navigator.serviceWorker.getRegistration()))
    return false;
  if (!(await hasOwnSubscription())) {
    const subscription = await subscribeDevice(() => client.fetchQuery(notificationsQuery));
    if (!subscription) return false;
    await call('PUT /api/me/notifications', { body: subscription });
    await refreshPaths(client, '/api/me/notifications');
  }
  showToast({ title: 'This device will tell you when a mix is out', description: IN_SETTINGS });
  return true;
}

async function tellByMail(client: QueryClient, user: User): Promise<void> {
  const { releaseMails } = await call('GET /api/me/preferences');
  if (!releaseMails) await call('PATCH /api/me/preferences', { body: { releaseMails: true } });
  await refreshPaths(client, '/api/me/preferences');
  const isUnconfirmed = user.unconfirmedEmail === user.email;
  showToast({
    title: 'You’ll get an e-mail when a mix is out',
    description: isUnconfirmed
      ? `Once you’ve opened the link in our e-mail to ${user.email}.`
      : user.isEmailRefused
        ? `But nothing arrives at ${user.email}. Enter another address in Settings.`
        : IN_SETTINGS,
  });
}

/** A notice on this device, or e-mails where that isn’t possible or wanted; says which of them. */
export async function tellMe(client: QueryClient, user: User): Promise<void> {
  const isTold = await tellOnDevice(client).catch(() => false);
  if (isTold) return;
  await tellByMail(client, user).catch((error: unknown) =>
    showErrorToast(error, 'Couldn’t change this. Please try again.'),
  );
}
