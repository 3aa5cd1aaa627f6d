import { findOffers, type FileEnds } from './allowed-files.ts';
import { hasFullAccess, isStaff, type ViewerAccess } from './access.ts';
import { DAY, HOUR } from './time.ts';

/** Saved tracks play offline for this long after the paid period. */
const LEASE_EXTRA_MS = 7 * DAY;

/** A smaller change of the clock is a correction, not an attempt to gain time. */
const CLOCK_TOLERANCE_MS = HOUR;

/** Until when saved tracks play offline; null if the viewer or anyone on this site may not save any. */
export function offlineUntil(viewer: ViewerAccess, ends: FileEnds, now: number): number | null {
  if (!viewer || !hasFullAccess(viewer, now) || !findOffers(ends, now).saving) return null;
  // Staff have no paid period, so it starts again with every visit.
  const periodEnd = Math.max(viewer.paid_through ?? 0, isStaff(viewer) ? now : 0);
  return Math.min(periodEnd + LEASE_EXTRA_MS, ends.savingEnd ?? Infinity);
}

export type Lease = {
  until: number;
  /** The latest time that this device has seen. */
  seenAt: number;
};
export type LeaseState = 'valid' | 'expired' | 'clock-set-back';

/** Whether saved tracks play without a network. Setting the clock back does not help. */
export function checkLease({ until, seenAt }: Lease, now: number): LeaseState {
  if (Math.max(now, seenAt) >= until) return 'expired';
  return now < seenAt - CLOCK_TOLERANCE_MS ? 'clock-set-back' : 'valid';
}
