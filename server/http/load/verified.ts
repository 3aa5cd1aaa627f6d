import { LRUCache } from 'lru-cache';
import { hashToken } from '../route/tokens.ts';

/** About 2 MB. */
const MAX_ENTRIES = 20_000;

/** What proved to be genuine, in this process. */
export type Proof = 'session' | 'admin' | 'device' | 'feed' | 'app' | 'cdn';

/**
 * The sessions, devices, feeds, apps and addresses for the CDN that were recognised of late: what a busy server may know about
 * a request before it has read anything. Those that weren't used for long are forgotten first.
 */
const verified = new LRUCache<string, true>({ max: MAX_ENTRIES });

const keyOf = (proof: Proof, hash: string) => `${proof} ${hash}`;

export function noteVerified(proof: Proof, hash: string): void {
  const key = keyOf(proof, hash);
  if (!verified.get(key)) verified.set(key, true);
}

export const wasVerified = (proof: Proof, hash: string): boolean =>
  verified.has(keyOf(proof, hash));

/** The account that an app names, at its address: many apps prove their password anew with each call. */
export const hashApp = (name: string, address: string): string => hashToken(`${address} ${name}`);
