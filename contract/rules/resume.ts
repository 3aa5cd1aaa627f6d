import { COUNTED_AFTER_MS } from './plays.ts';

/** The time after which a play counts. Anything before it is the beginning of a track. */
export const STARTED_AFTER_SECONDS = COUNTED_AFTER_MS / 1000;

/** The last half minute of a track is its ending; of a short one, its last fifth. */
const ENDING_SECONDS = 30;
const ENDING_SHARE = 0.2;

export const findEnding = (duration: number): number =>
  duration - Math.min(ENDING_SECONDS, duration * ENDING_SHARE);

/** 0 in the beginning and in the ending: from there, a track starts over. */
export const findResumePosition = (position: number, duration: number): number =>
  position >= STARTED_AFTER_SECONDS && position < findEnding(duration) ? position : 0;
