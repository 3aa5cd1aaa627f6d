/** The last half minute of a mix is its ending; of a short one, its last fifth. A crossfade fits in both. */
const ENDING_MS = 30_000;
const ENDING_SHARE = 0.2;
/** Somebody who jumped to the ending has not heard the mix. */
const LEAST_SHARE = 0.5;
/** This much of it is the mix, wherever it was heard. */
const WHOLE_SHARE = 0.9;

export type Listened = {
  durationMs: number;
  /** Where the listener was last, in the mix. */
  positionMs: number;
  /** All that was ever heard of it. */
  heardMs: number;
  /** Who hears previews has started a mix, however often; nobody hears a mix that was not played. */
  hasFullAccess: boolean;
};

/** Whether a mix counts as heard: listened to its ending, or nearly all of its time. */
export function isHeardThrough({ durationMs, positionMs, heardMs, hasFullAccess }: Listened) {
  if (!hasFullAccess || durationMs <= 0) return false;
  const ending = durationMs - Math.min(ENDING_MS, durationMs * ENDING_SHARE);
  const reachedEnding = positionMs >= ending && heardMs >= durationMs * LEAST_SHARE;
  return reachedEnding || heardMs >= durationMs * WHOLE_SHARE;
}

/** The percent of a mix that has been reached; who heard it through has reached its end. */
export function findReach(
  { durationMs, positionMs }: Pick<Listened, 'durationMs' | 'positionMs'>,
  isHeard: boolean,
): number {
  if (isHeard) return 100;
  if (durationMs <= 0) return 0;
  return Math.min(100, Math.max(0, Math.floor((positionMs * 100) / durationMs)));
}
