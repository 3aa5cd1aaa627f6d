import { MINUTE } from './time.ts';

/** A play counts after this much listening; a free preview is long enough. */
export const COUNTED_AFTER_MS = 15_000;

/** A listener's plays of one track count at most this often. */
export const COUNT_INTERVAL_MS = 30 * MINUTE;

/** Heartbeats may be a little late or early. */
const CLOCK_SLACK_MS = 2_000;

/** A client can't report more listening than time has passed, nor reduce what it reported before. */
export const limitListenedMs = (claimedMs: number, knownMs: number, elapsedMs: number): number =>
  Math.max(knownMs, Math.min(Math.round(claimedMs), elapsedMs + CLOCK_SLACK_MS));

/** A position can't be past the end of the track, if its length is known. */
export const limitPosition = (positionMs: number, durationMs: number): number =>
  Math.round(durationMs > 0 ? Math.min(positionMs, durationMs) : positionMs);
