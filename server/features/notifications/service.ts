import { PushSubscriptionBody, type ReleaseNotice } from '#contract/clients/notifications.ts';
import type { Deps } from '../../deps.ts';
import { decryptText, encryptText } from '../../db/secrets.ts';
import { AppError } from '../../http/route/app-error.ts';
import type { Viewer } from '../../http/route/guards.ts';
import { hashToken } from '../../http/route/tokens.ts';
import { newId } from '../../db/ids.ts';
import { findAddressProblem, ForbiddenAddressError } from '../../ports/outgoing/send-request.ts';
import { isPublicKey, push, readKeys } from './push.ts';
import {
  deleteSubscription,
  deleteSubscriptionOf,
  hasSubscription,
  saveSubscription,
  type Device,
} from './queries.ts';

export { exportNotifications, findDevice, listDevices, listDevicesOf } from './queries.ts';

const PURPOSE = 'push-subscriptions';
/** The device has removed the permission, or doesn't exist any more. */
const GONE = new Set([404, 410]);

export async function getNotifications({ database }: Deps, viewer: Viewer) {
  const { publicKey } = await readKeys(database.db);
  return { isOn: await hasSubscription(database.db, viewer.sessionHash ?? ''), publicKey };
}

export async function subscribe(
  { database, clock, config }: Deps,
  viewer: Viewer,
  subscription: PushSubscriptionBody,
): Promise<void> {
  const { endpoint, keys } = subscription;
  if (findAddressProblem(endpoint, config.allowsPrivateServers) || !isPublicKey(keys.p256dh))
    throw new AppError('validation_failed', {
      message: 'Your browser’s push service isn’t supported.',
    });
  const now = clock.now();
  const encrypted = await encryptText(database.db, PURPOSE, JSON.stringify(subscription));
  await database.db.transaction().execute((tx) =>
    saveSubscription(tx, {
      id: newId(now),
      session_hash: viewer.sessionHash ?? '',
      user_id: viewer.user.id,
      endpoint_hash: hashToken(endpoint),
      subscription: encrypted,
      created_at: now,
    }),
  );
}

export async function unsubscribe({ database }: Deps, viewer: Viewer): Promise<void> {
  await deleteSubscriptionOf(database.db, viewer.sessionHash ?? '');
}

/** Throws if it may work later. A device that is gone is forgotten. */
export async function sendNotice(
  deps: Deps,
  device: Device,
  notice: ReleaseNotice,
  signal: AbortSignal,
): Promise<void> {
  const { db } = deps.database;
  const text = await decryptText(db, PURPOSE, device.subscription);
  const subscription = PushSubscriptionBody.parse(JSON.parse(text));
  try {
    const { status } = await push(deps, subscription, notice, signal);
    if (GONE.has(status)) await deleteSubscription(db, device.id);
    else if (status >= 300) throw new Error(`The push service answered with ${status}.`);
  } catch (error) {
    if (!(error instanceof ForbiddenAddressError)) throw error;
    await deleteSubscription(db, device.id);
  }
}
