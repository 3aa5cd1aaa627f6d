import { isSmallFile } from '#contract/rules/pick-file.ts';
import { capSeek, PREVIEW_SECONDS, playableSeconds } from '#contract/rules/preview.ts';
import type { Track } from '#contract/tracks.ts';
import type { PlayerState } from './store.ts';

type Access = Pick<PlayerState, 'isFullTrackAvailable'>;
type Length = Pick<PlayerState, 'duration'>;

/** Free users stop here; subscribers never do. */
export const isAtPreviewLimit = ({ isFullTrackAvailable }: Access, time: number): boolean =>
  !isFullTrackAvailable && time >= PREVIEW_SECONDS;

/** Everyone may play a track that is shorter than the preview to its end. */
export const isEndOfPreview = ({ isFullTrackAvailable, duration }: Access & Length): boolean =>
  !isFullTrackAvailable && duration >= PREVIEW_SECONDS;

/** The file is only the preview of a longer track. */
export const isCutToPreview = (track: Track): boolean =>
  track.access === 'preview' && track.duration > PREVIEW_SECONDS;

/** What the progress bar is scaled to: for free users min(duration, 20). */
export const selectPlayableSeconds = (state: Access & Length): number =>
  playableSeconds(state.duration, state.isFullTrackAvailable);

/** The page shows 'Subscribe to listen to the full track'. */
export const selectIsPreviewEnded = (state: PlayerState): boolean =>
  state.currentTrack !== null && isAtPreviewLimit(state, state.currentTime);

/** Even a subscriber can't seek past the end of a preview file. */
export const limitSeek = (
  seconds: number,
  state: Access & Length & Pick<PlayerState, 'currentTrack'>,
): number =>
  capSeek(
    seconds,
    state.duration,
    state.isFullTrackAvailable && state.currentTrack?.access === 'full',
  );

/** Seconds into the track: a preview file starts where it was cut out. */
export const positionInTrack = (track: Track, time: number): number =>
  track.access === 'preview' ? track.previewStart + time : time;

/** The same position in another file of the track; its start if the file doesn't include it. */
export function timeInFile(fresh: Track, position: number): number {
  if (fresh.access === 'full') return position;
  const time = position - fresh.previewStart;
  return time >= 0 && time < PREVIEW_SECONDS ? time : 0;
}

/** A preview file is shorter than its track, so only a full file has the track's duration. */
export const resolveDuration = (track: Track, fileSeconds: number): number =>
  track.access === 'full' && Number.isFinite(fileSeconds) && fileSeconds > 0
    ? fileSeconds
    : track.duration;

/** Whether Play uses the small file of a track: the one that is loaded, or the next one that would be. */
export const selectIsSmall = (
  { currentTrack, fileUrl, isDataSaver }: PlayerState,
  trackId: string,
): boolean => (currentTrack?.id === trackId && fileUrl ? isSmallFile(fileUrl) : isDataSaver);
