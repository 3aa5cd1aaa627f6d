import { formatDuration } from '#contract/rules/duration.ts';
import type { Track } from '#contract/tracks.ts';

export type HeardState = {
  /** Of the mix, from 0 to 1. */
  share: number;
  words: string;
};

/** How far the member has come; null where they have heard nothing. */
export function readHeardState({ progress, duration }: Track): HeardState | null {
  if (!progress) return null;
  if (progress.isHeard) return { share: 1, words: 'Heard' };
  if (progress.position <= 0 || duration <= 0) return null;
  return {
    share: Math.min(1, progress.position / duration),
    words: `Stopped at ${formatDuration(progress.position)}`,
  };
}
