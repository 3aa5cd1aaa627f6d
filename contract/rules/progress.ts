/** The last half minute of a track is its ending; of a short one, its last fifth. */
const ENDING_MS = 30_000;
const ENDING_SHARE = 0.2;
/** Jumping to the ending is not enough: this share of the track must have been played. */
const LEAST_SHARE = 0.5;
/** Playing this share of a track finishes it, wherever playback stopped. */
const WHOLE_SHARE = 0.9;

export type Listened = {
  durationMs: number;
  /** Where the user stopped last. */
  positionMs: number;
  /** How much of the track the user has listened to in total. */
  listenedMs: number;
  /** Previews only start a track; they never finish it. */
  hasFullAccess: boolean;
};

/** True when the user listened to the ending, or to nearly all of the track. */
export function isTrackFinished({ durationMs, positionMs, listenedMs, hasFullAccess }: Listened) {
  if (!hasFullAccess || durationMs <= 0) return false;
  const ending = durationMs - Math.min(ENDING_MS, durationMs * ENDING_SHARE);
  const reachedEnding = positionMs >= ending && listenedMs >= durationMs * LEAST_SHARE;
  return reachedEnding || listenedMs >= durationMs * WHOLE_SHARE;
}

/** How far into the track the user got, in percent. */
export function findReach(
  { durationMs, positionMs }: Pick<Listened, 'durationMs' | 'positionMs'>,
  isFinished: boolean,
): number {
  if (isFinished) return 100;
  if (durationMs <= 0) return 0;
  return Math.min(100, Math.max(0, Math.floor((positionMs * 100) / durationMs)));
}
