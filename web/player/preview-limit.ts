import { capSeek, PREVIEW_SECONDS, playableSeconds } from '#contract/rules/preview.ts';
import type { Track } from '#contract/tracks.ts';
import type { PlayerState } from './store.ts';

type Access = Pick<PlayerState, 'isFullTrackAvailable'>;
type Length = Pick<PlayerState, 'duration'>;

/** Free listeners stop here; subscribers never do. */
export const isAtPreviewLimit = ({ isFullTrackAvailable }: Access, time: number): boolean =>
  !isFullTrackAvailable && time >= PREVIEW_SECONDS;

/** A track shorter than the preview is heard to its own end by everybody. */
export const isEndOfPreview = ({ isFullTrackAvailable, duration }: Access & Length): boolean =>
  !isFullTrackAvailable && duration >= PREVIEW_SECONDS;

/** The file is over and the track is not: it was loaded before the listener had access. */
export const isCutShort = (track: Track): boolean =>
  track.access === 'preview' && track.duration > PREVIEW_SECONDS;

/** What the progress bar is scaled to: for free users min(duration, 20). */
export const selectPlayableSeconds = (state: Access & Length): number =>
  playableSeconds(state.duration, state.isFullTrackAvailable);

/** 'Subscribe to listen to the full track' is due. */
export const selectIsPreviewEnded = (state: PlayerState): boolean =>
  state.currentTrack !== null && isAtPreviewLimit(state, state.currentTime);

/** A subscriber, too, cannot go past the end of a file that holds the preview alone. */
export const limitSeek = (
  seconds: number,
  state: Access & Length & Pick<PlayerState, 'currentTrack'>,
): number =>
  capSeek(
    seconds,
    state.duration,
    state.isFullTrackAvailable && state.currentTrack?.access === 'full',
  );

/** A preview's seconds are counted from where in the mix it was cut. */
export const positionInTrack = (track: Track, time: number): number =>
  track.access === 'preview' ? track.previewStart + time : time;

/** The same moment of the mix in another file of the same track; the start where that lacks it. */
export function timeInFile(fresh: Track, position: number): number {
  if (fresh.access === 'full') return position;
  const time = position - fresh.previewStart;
  return time >= 0 && time < PREVIEW_SECONDS ? time : 0;
}

/** A preview's file is shorter than its track, so only a full file tells the duration. */
export const resolveDuration = (track: Track, fileSeconds: number): number =>
  track.access === 'full' && Number.isFinite(fileSeconds) && fileSeconds > 0
    ? fileSeconds
    : track.duration;

/** Fewer bytes where the listener asked for it and a smaller file exists. */
export const pickFile = (track: Track, isDataSaver: boolean): string =>
  (isDataSaver && track.dataSaverUrl) || track.fileUrl;
