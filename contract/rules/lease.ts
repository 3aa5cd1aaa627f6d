import { hasFullAccess, type ViewerAccess } from './release.ts';
import { DAY, HOUR } from './time.ts';

/** What is kept offline plays on this long after the period that was paid for. */
export const LEASE_EXTRA_MS = 7 * DAY;

/** A clock that is corrected by less than this was not set back by anybody. */
const CLOCK_TOLERANCE_MS = HOUR;

/** Until when kept mixes play without asking; null when nothing may be kept. */
export function offlineUntil(viewer: ViewerAccess, now: number): number | null {
  if (!viewer || !hasFullAccess(viewer, now)) return null;
  // Whoever runs the site pays for no period: theirs begins anew with each visit.
  const periodEnd = Math.max(viewer.paid_through ?? 0, viewer.is_admin ? now : 0);
  return periodEnd + LEASE_EXTRA_MS;
}

export type Lease = {
  until: number;
  /** The latest time this device is known to have reached. */
  seenAt: number;
};
export type LeaseState = 'valid' | 'over' | 'clock-set-back';

/** Whether kept mixes play, without a network to ask. Setting the clock back wins nothing. */
export function judgeLease({ until, seenAt }: Lease, now: number): LeaseState {
  if (Math.max(now, seenAt) >= until) return 'over';
  return now < seenAt - CLOCK_TOLERANCE_MS ? 'clock-set-back' : 'valid';
}
