import { MINUTE } from './time.ts';

/** A play counts once this much was heard; a free preview can reach it. */
export const COUNTED_AFTER_MS = 15_000;

/** A listener's plays of one track count at most this often. */
export const COUNT_INTERVAL_MS = 30 * MINUTE;

/** A heartbeat may be a little late or early; beyond that nobody hears more than time has passed. */
const CLOCK_SLACK_MS = 2_000;

/** What is believed of the seconds a client says were heard: never less than before, never more than the clock allows. */
export const believedHeardMs = (claimedMs: number, knownMs: number, elapsedMs: number): number =>
  Math.max(knownMs, Math.min(Math.round(claimedMs), elapsedMs + CLOCK_SLACK_MS));

/** Nobody is past the end of a mix whose length is known. */
export const limitPosition = (positionMs: number, durationMs: number): number =>
  Math.round(durationMs > 0 ? Math.min(positionMs, durationMs) : positionMs);
