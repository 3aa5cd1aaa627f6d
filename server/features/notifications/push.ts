import { createECDH } from 'node:crypto';
import type { PushSubscriptionBody, ReleaseNotice } from '#contract/clients/notifications.ts';
import { DAY, SECOND } from '#contract/rules/time.ts';
import type { Db } from '../../db/connect.ts';
import { readSecret } from '../../db/secrets.ts';
import type { Deps } from '../../deps.ts';
import { sendRequest, type OutgoingAnswer } from '../../ports/outgoing/send-request.ts';

const SECRET = 'push-messages';
const CURVE = 'prime256v1';
const TIMEOUT_MS = 10 * SECOND;
/** How long a push service keeps a message for a device that is off. */
const LIFETIME_SECONDS = DAY / 1000;

/** The pair of keys by which push services know this site (VAPID). Devices subscribe with the public one. */
export async function readKeys(db: Db): Promise<{ publicKey: string; privateKey: string }> {
  const secret = await readSecret(db, SECRET);
  const pair = createECDH(CURVE);
  pair.setPrivateKey(secret);
  return {
    publicKey: pair.getPublicKey('base64url'),
    privateKey: secret.toString('base64url'),
  };
}

/** Whether a message can be encrypted for this key of a device. */
export function isPublicKey(key: string): boolean {
  const pair = createECDH(CURVE);
  pair.generateKeys();
  try {
    pair.computeSecret(key, 'base64url');
    return true;
  } catch {
    return false;
  }
}

/** How a push service reaches the operator. It only accepts an e-mail or an https address. */
function findContact({ config, site }: Deps): string {
  const [, address] = /([^\s<>]+@[^\s<>]+)/.exec(config.smtp?.from ?? '') ?? [];
  if (address) return `mailto:${address}`;
  return site.origin.startsWith('https:') ? site.origin : 'mailto:operator@example.com';
}

/** Encrypts the message for the device, so that the push service can't read it, and hands it over. */
export async function push(
  deps: Deps,
  subscription: PushSubscriptionBody,
  notice: ReleaseNotice,
  signal: AbortSignal,
): Promise<OutgoingAnswer> {
  const { default: webPush } = await import('web-push');
  const keys = await readKeys(deps.database.db);
  const { headers, body } = webPush.generateRequestDetails(subscription, JSON.stringify(notice), {
    vapidDetails: { subject: findContact(deps), ...keys },
    contentEncoding: 'aes128gcm',
    TTL: LIFETIME_SECONDS,
    urgency: 'normal',
    // The same notice again replaces one that waits for the device.
    topic: notice.tag.replaceAll(/[^\w-]/g, '').slice(-32),
  });
  return sendRequest({
    method: 'POST',
    url: subscription.endpoint,
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
    ),
    body,
    timeoutMs: TIMEOUT_MS,
    allowsPrivate: deps.config.allowsPrivateServers,
    signal,
  });
}
