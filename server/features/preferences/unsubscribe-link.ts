import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';

/** The mails one can do without. Those about payments and the account are not among them. */
export const MailKind = z.enum(['releases', 'news']);
export type MailKind = z.infer<typeof MailKind>;

export type Unsubscription = { userId: string; kind: MailKind };

/** Every part is bounded and free of line ends, so that no two read the same. */
const sign = (secret: Buffer, { userId, kind }: Unsubscription): string =>
  createHmac('sha256', secret).update(['unsubscribe', userId, kind].join('\n')).digest('base64url');

export const writeUnsubscribeToken = (secret: Buffer, wish: Unsubscription): string =>
  `${wish.kind}.${wish.userId}.${sign(secret, wish)}`;

const Parts = z.tuple([MailKind, z.string().regex(/^[\w-]{1,64}$/), z.string().length(43)]);

/** Whose mails of which kind end; null for a token that is not ours. It never runs out: old mails stay. */
export function readUnsubscribeToken(secret: Buffer, token: string): Unsubscription | null {
  const parts = Parts.safeParse(token.split('.', 4));
  if (!parts.success) return null;
  const [kind, userId, signature] = parts.data;
  const given = Buffer.from(signature);
  const right = Buffer.from(sign(secret, { userId, kind }));
  // As bytes of the text: base64 has several ways to write the same bytes.
  return given.length === right.length && timingSafeEqual(given, right) ? { userId, kind } : null;
}
