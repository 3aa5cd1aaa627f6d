import { SECOND } from './time.ts';

/**
 * The only place that sets the length of a preview: the server cuts files to it, the player stops
 * here, and texts for users are built from it.
 */
export const PREVIEW_SECONDS = 20;
export const PREVIEW_MS = PREVIEW_SECONDS * SECOND;

/** For sentences: "20 seconds" and "20-second preview". */
export const PREVIEW_LENGTH_TEXT = `${PREVIEW_SECONDS} seconds`;
export const PREVIEW_TEXT = `${PREVIEW_SECONDS}-second preview`;

/** The last second a viewer may reach: the end of the track, or of the preview. */
export const playableSeconds = (duration: number, hasFullTrack: boolean): number =>
  hasFullTrack ? duration : Math.min(duration, PREVIEW_SECONDS);

/** Keeps a seek inside the playable part. */
export const capSeek = (seconds: number, duration: number, hasFullTrack: boolean): number =>
  Math.min(Math.max(0, seconds), playableSeconds(duration, hasFullTrack));
