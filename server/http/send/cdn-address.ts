import { createHmac, timingSafeEqual } from 'node:crypto';
import { HOUR, SECOND } from '#contract/rules/time.ts';
import { deriveSigningKey } from '../../db/secrets.ts';
import type { RenditionName } from '../../db/types/tables.ts';
import type { Deps } from '../../deps.ts';
import { noteVerified } from '../load/verified.ts';

/** A file of a mix, as an address for the CDN names it. */
export type CdnFile = {
  trackId: string;
  rendition: RenditionName;
  /** Part of its key, so that an address never gives other bytes than the CDN has. */
  version: string;
};

export type CdnGrant = CdnFile & {
  /** Whether browsers play it, or save it under its name. */
  use: 'play' | 'save';
  endsAt: number;
};

const PURPOSE = 'cdn-addresses';

/**
 * The same for everyone who asks within the hour, so that the CDN has the file once. Whoever starts
 * now can play to the end: the file goes on for its own length, in whole hours, after this hour.
 */
export function findAddressEnd(
  now: number,
  { durationMs, endsAt }: { durationMs: number; endsAt: number | null },
): number {
  const hours = Math.max(1, Math.ceil(durationMs / HOUR));
  const end = (Math.floor(now / HOUR) + 1 + hours) * HOUR;
  return Math.floor(Math.min(end, endsAt ?? Infinity) / SECOND) * SECOND;
}

/**
 * Everything is in the path, because a CDN may leave a query out of what it compares. The track comes
 * first, so that everything of it can be purged by a prefix.
 */
const ADDRESS =
  /^(?<start>\/media\/cdn\/(?<trackId>[\w.-]{1,64})\/(?<rendition>stream|dataSaver|preview|mp3|flac)\/(?<version>[\w.-]{1,200})\/(?<seconds>[1-9]\d{9})\/)(?<signature>[\w-]{43})\/(?<name>(?<use>play|save)\.[a-z0-9]{2,4})$/;

const sign = (key: Buffer, start: string, name: string): string =>
  createHmac('sha256', key)
    .update(start + name)
    .digest('base64url');

const EXTENSION_LENGTH = 4;

/** The path of an address that works until `endsAt`. */
export async function buildCdnPath(
  { database }: Pick<Deps, 'database'>,
  { trackId, rendition, version, use, endsAt }: CdnGrant,
): Promise<string> {
  const start = `/media/cdn/${trackId}/${rendition}/${version}/${endsAt / SECOND}/`;
  // Some CDNs decide by the extension what they keep.
  const extension = version.split('.').at(-1)?.slice(0, EXTENSION_LENGTH) ?? '';
  const name = `${use}.${extension}`;
  const signature = sign(await deriveSigningKey(database.db, PURPOSE), start, name);
  noteVerified('cdn', signature);
  return `${start}${signature}/${name}`;
}

/** What an address allows; null if we never gave it, in exactly these letters. It may have ended. */
export async function parseCdnPath(
  { database }: Pick<Deps, 'database'>,
  url: string,
): Promise<CdnGrant | null> {
  const { start, trackId, rendition, version, seconds, signature, name, use } =
    ADDRESS.exec(url)?.groups ?? {};
  if (!start || !trackId || !version || !signature || !name) return null;
  const expected = sign(await deriveSigningKey(database.db, PURPOSE), start, name);
  if (!timingSafeEqual(Buffer.from(expected), Buffer.from(signature))) return null;
  return {
    trackId,
    rendition: rendition as RenditionName,
    version,
    use: use as CdnGrant['use'],
    endsAt: Number(seconds) * SECOND,
  };
}

/**
 * Ends with the address, wherever a copy is: a CDN counts seconds and passes on how many are over, a
 * browser compares the dates, which also holds behind a proxy that doesn't say how old its copy is.
 */
export const cacheUntil = (endsAt: number, now: number) => ({
  'cache-control': `public, s-maxage=${Math.floor((endsAt - now) / SECOND)}, immutable`,
  expires: new Date(endsAt).toUTCString(),
});
