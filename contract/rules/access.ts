import { DAY, HOUR } from './time.ts';

/** The default grace period: a payment that is late by a long weekend doesn't interrupt the music. */
export const GRACE_MS = 3 * DAY;

/** Premium access depends only on the paid period and the grace period. */
export const hasAccess = (paidThrough: number | null, now: number, graceMs: number): boolean =>
  paidThrough !== null && now < paidThrough + graceMs;

/** The default early access of subscribers. */
export const EARLY_ACCESS_MS = 48 * HOUR;

/** The longest that an operator can choose: two weeks. */
export const MAX_EARLY_ACCESS_HOURS = 336;

/** What decides a viewer's access: their account, and the site's grace period and early access. */
export type ViewerAccess = {
  is_admin: 0 | 1;
  is_helper: 0 | 1;
  paid_through: number | null;
  grace_ms: number;
  early_ms?: number;
} | null;

/** Administrators and helpers: they hear everything, and their own listening counts nowhere. */
export const isStaff = (user: Pick<NonNullable<ViewerAccess>, 'is_admin' | 'is_helper'>): boolean =>
  user.is_admin === 1 || user.is_helper === 1;

/** Subscribers while their access lasts, and staff. */
export const hasFullAccess = (viewer: ViewerAccess, now: number): boolean =>
  viewer !== null && (isStaff(viewer) || hasAccess(viewer.paid_through, now, viewer.grace_ms));

/** The newest release time a viewer may see. */
export const visibleUntil = (viewer: ViewerAccess, now: number): number =>
  hasFullAccess(viewer, now) ? now + (viewer?.early_ms ?? EARLY_ACCESS_MS) : now;
