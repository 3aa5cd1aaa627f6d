import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { DownloadFormat } from '#contract/downloads.ts';
import { HOUR } from '#contract/rules/time.ts';

/** Long enough that a slow line can break off and go on. */
export const LINK_MS = 6 * HOUR;

export type DownloadGrant = {
  userId: string;
  trackId: string;
  format: DownloadFormat;
  expiresAt: number;
};

/** Every field is bounded and free of line ends, so that no two grants read the same. */
function sign(secret: Buffer, { userId, trackId, format, expiresAt }: DownloadGrant): string {
  const text = ['download', userId, trackId, format, expiresAt].join('\n');
  return createHmac('sha256', secret).update(text).digest('base64url');
}

export function writeLink(secret: Buffer, grant: DownloadGrant): string {
  const { userId, trackId, format, expiresAt } = grant;
  const query = new URLSearchParams({
    user: userId,
    expires: String(expiresAt),
    signature: sign(secret, grant),
  });
  return `/media/downloads/${encodeURIComponent(trackId)}/${format}?${query.toString()}`;
}

const Id = z.string().regex(/^[\w.-]{1,64}$/);
const Link = z.object({
  trackId: Id,
  format: DownloadFormat,
  user: Id,
  expires: z.string().regex(/^[1-9]\d{12}$/),
  signature: z.string().regex(/^[\w-]{43}$/),
});

/** Whom and what an address was made out to; null when it is not one of ours or has run out. */
export function readLink(secret: Buffer, parts: unknown, now: number): DownloadGrant | null {
  const link = Link.safeParse(parts);
  if (!link.success) return null;
  const { trackId, format, user, expires, signature } = link.data;
  const grant = { userId: user, trackId, format, expiresAt: Number(expires) };
  // As text: base64 has several ways to write the same bytes.
  const isOurs = timingSafeEqual(Buffer.from(sign(secret, grant)), Buffer.from(signature));
  return isOurs && now < grant.expiresAt ? grant : null;
}
