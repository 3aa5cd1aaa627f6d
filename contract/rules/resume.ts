import { COUNTED_AFTER_MS } from './plays.ts';

/** As long as it takes for a play to count. Anything before this is the beginning of a track. */
export const STARTED_AFTER_SECONDS = COUNTED_AFTER_MS / 1000;

/** The last half minute of a track is its ending; of a short one, its last fifth. */
const ENDING_SECONDS = 30;
const ENDING_SHARE = 0.2;

export const findEnding = (duration: number): number =>
  duration - Math.min(ENDING_SECONDS, duration * ENDING_SHARE);

/** Beginnings and endings aren't resumed: there the track starts over, at 0. */
export const findResumePosition = (position: number, duration: number): number =>
  position >= STARTED_AFTER_SECONDS && position < findEnding(duration) ? position : 0;
