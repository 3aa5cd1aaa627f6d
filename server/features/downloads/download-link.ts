import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { DownloadFormat } from '#contract/downloads.ts';
import { HOUR } from '#contract/rules/time.ts';

/** Long enough to resume a download on a slow connection. */
export const LINK_LIFETIME_MS = 6 * HOUR;

export type DownloadGrant = {
  userId: string;
  trackId: string;
  format: DownloadFormat;
  expiresAt: number;
};

/** The fields are bounded and contain no line breaks, so no two grants have the same text. */
function sign(secret: Buffer, { userId, trackId, format, expiresAt }: DownloadGrant): string {
  const text = ['download', userId, trackId, format, expiresAt].join('\n');
  return createHmac('sha256', secret).update(text).digest('base64url');
}

export function buildDownloadUrl(secret: Buffer, grant: DownloadGrant): string {
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

/** The grant in a download URL; null if the URL is invalid or has expired. */
export function parseDownloadLink(
  secret: Buffer,
  parts: unknown,
  now: number,
): DownloadGrant | null {
  const link = Link.safeParse(parts);
  if (!link.success) return null;
  const { trackId, format, user, expires, signature } = link.data;
  const grant = { userId: user, trackId, format, expiresAt: Number(expires) };
  // Compared as text, because base64 can write the same bytes in several ways.
  const isValid = timingSafeEqual(Buffer.from(sign(secret, grant)), Buffer.from(signature));
  return isValid && now < grant.expiresAt ? grant : null;
}
