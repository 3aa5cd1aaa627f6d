import { findSharedSubject } from '#contract/rules/shared-links.ts';
import { HOUR } from '#contract/rules/time.ts';
import { safeNext } from '#web/lib/location/next-path.ts';
import {
  parseObject,
  tryOrUndefined,
  type KeyValueStorage,
} from '#web/player/session/persistence.ts';

const KEY = 'checkout-next';
/** As long as the music of the checkout is kept. */
const MAX_AGE_MS = HOUR;

/** Keeps the page that Premium was wanted for until this tab returns from the payment provider’s site. */
export function saveCheckoutNext(
  storage: KeyValueStorage,
  { owner, path }: { owner: string; path: string },
  now: number,
): void {
  tryOrUndefined(() => storage.setItem(KEY, JSON.stringify({ owner, path, at: now })));
}

/** Only for the user who left; null after an hour, and for what is no page of this site. */
export function readCheckoutNext(
  storage: KeyValueStorage,
  owner: string,
  now: number,
): string | null {
  const saved = parseObject(tryOrUndefined(() => storage.getItem(KEY)) ?? null);
  if (saved?.owner !== owner || typeof saved.path !== 'string') return null;
  if (typeof saved.at !== 'number' || !(now - saved.at < MAX_AGE_MS)) return null;
  const path = safeNext(saved.path);
  return path === '/' ? null : path;
}

/** What a link to it says. */
export function nameCheckoutNext(path: string): string {
  const kind = findSharedSubject(path)?.kind;
  if (kind === undefined) return 'Back to where you were';
  return kind === 'track' ? 'Hear the mix' : 'Hear the mixes';
}
