import { PREVIEW_SECONDS } from '#contract/rules/preview.ts';
import type { Track } from '#contract/tracks.ts';

export type Listenable = Pick<Track, 'access' | 'duration' | 'previewStart'>;

/** Where a second of the track is in the user's file: the track or its preview. Null if it isn't in it. */
export function findInFile(at: number, track: Listenable): number | null {
  if (track.access === 'full') return at;
  const seconds = at - track.previewStart;
  return seconds >= 0 && seconds < PREVIEW_SECONDS ? seconds : null;
}
