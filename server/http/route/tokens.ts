import { hash, randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';

/** 256 random bits for a cookie or a link. The database stores only its hash. */
export const newToken = (): string => randomBytes(32).toString('base64url');

const TOKEN_LENGTH = 43;
const MAX_CACHED = 1000;
const cache = new LRUCache<string, string>({ max: MAX_CACHED });

/**
 * The token has full entropy, so a plain hash is enough. Recent hashes are cached, because a player
 * sends its token with every range of a track.
 */
export function hashToken(token: string): string {
  const cached = cache.get(token);
  if (cached) return cached;
  const hashed = hash('sha256', token, 'hex');
  if (token.length === TOKEN_LENGTH) cache.set(token, hashed);
  return hashed;
}
