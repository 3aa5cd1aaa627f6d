import { hash, randomBytes } from 'node:crypto';

/** 256 random bits for a cookie or a link. Of what opens an account only the hash is ever stored. */
export const newToken = (): string => randomBytes(32).toString('base64url');

const TOKEN_LENGTH = 43;
const KEPT = 1000;
const kept = new Map<string, string>();

/**
 * The token has full entropy, so a plain hash is enough: there is nothing to guess. Those that were
 * asked for last are kept, as a listener's comes with every part of a mix.
 */
export function hashToken(token: string): string {
  const known = kept.get(token);
  if (known) return known;
  const hashed = hash('sha256', token, 'hex');
  if (kept.size >= KEPT) kept.clear();
  if (token.length === TOKEN_LENGTH) kept.set(token, hashed);
  return hashed;
}
