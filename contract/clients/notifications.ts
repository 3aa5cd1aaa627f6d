import { z } from 'zod';
import { defineRoutes } from '../route.ts';

const base64url = (length: number) => z.string().regex(new RegExp(`^[\\w-]{${length}}=*$`));

/** What a browser gives us after the user has allowed notifications. */
export const PushSubscriptionBody = z.strictObject({
  endpoint: z.url().max(1000),
  keys: z.strictObject({
    /** A point on the curve P-256, not compressed. */
    p256dh: base64url(87),
    auth: base64url(22),
  }),
});
export type PushSubscriptionBody = z.infer<typeof PushSubscriptionBody>;

/** What a push message contains; the service worker shows it. */
export const ReleaseNotice = z.object({
  title: z.string(),
  body: z.string(),
  /** The page that a click opens. */
  path: z.string(),
  /** A notice with the same tag replaces the one before. */
  tag: z.string(),
});
export type ReleaseNotice = z.infer<typeof ReleaseNotice>;

export const notificationRoutes = defineRoutes({
  'GET /api/me/notifications': {
    summary: 'Whether this device gets release notices, and the key to subscribe with.',
    response: z.object({
      isOn: z.boolean(),
      /** The site's public key (VAPID). */
      publicKey: z.string(),
    }),
    errors: ['unauthenticated'],
  },
  'PUT /api/me/notifications': {
    summary: 'Get a notice on this device when a mix is out.',
    body: PushSubscriptionBody,
    errors: ['unauthenticated', 'rate_limited'],
  },
  'DELETE /api/me/notifications': {
    summary: 'No more release notices on this device.',
    errors: ['unauthenticated', 'rate_limited'],
  },
});
