/** What someone without access hears of a track, in seconds. The server cuts a file of this length. */
export const PREVIEW_SECONDS = 20;

/** The last second a listener may reach: the end of the track, or of the preview. */
export const playableSeconds = (duration: number, hasFullTrack: boolean): number =>
  hasFullTrack ? duration : Math.min(duration, PREVIEW_SECONDS);

/** Every seek ends inside what may be heard. */
export const capSeek = (seconds: number, duration: number, hasFullTrack: boolean): number =>
  Math.min(Math.max(0, seconds), playableSeconds(duration, hasFullTrack));
