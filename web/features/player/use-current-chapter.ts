import type { Chapter, Track } from '#contract/tracks.ts';
import { positionInTrack } from '#web/player/preview-limit.ts';
import { usePlayerState } from '#web/player/use-player.ts';
import { findChapter } from './find-chapter.ts';

/** The chapter of this track that is being heard; null while another track is, or none. */
export const useCurrentChapter = (track: Track, chapters: readonly Chapter[]): Chapter | null =>
  usePlayerState(({ currentTrack, currentTime }) =>
    currentTrack?.id === track.id
      ? findChapter(chapters, positionInTrack(currentTrack, currentTime))
      : null,
  );
