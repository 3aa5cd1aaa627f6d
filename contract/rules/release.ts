import { hasAccess } from './access.ts';
import { HOUR } from './time.ts';

/** Subscribers get a release this long before its public hour. A setting may say otherwise. */
export const EARLY_ACCESS_MS = 48 * HOUR;

/** Whoever asks, with the grace and the early access that the site gives at that moment. */
export type Listener = {
  is_admin: 0 | 1;
  paid_through: number | null;
  grace_ms: number;
  early_ms?: number;
} | null;

/** Who hears whole mixes: subscribers while their access lasts, and the people who run the site. */
export const hearsEverything = (listener: Listener, now: number): boolean =>
  listener !== null &&
  (listener.is_admin === 1 || hasAccess(listener.paid_through, now, listener.grace_ms));

/** The newest release time a listener may see. */
export const visibleUntil = (listener: Listener, now: number): number =>
  hearsEverything(listener, now) ? now + (listener?.early_ms ?? EARLY_ACCESS_MS) : now;
