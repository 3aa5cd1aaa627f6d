import type { Chapter, Track } from '#contract/tracks.ts';
import { positionInTrack } from '#web/player/preview-limit.ts';
import { usePlayerState } from '#web/player/use-player.ts';

type TimedChapter = Chapter & { at: number };

export const isTimed = (chapter: Chapter): chapter is TimedChapter => chapter.at !== null;

/** The chapter that a position in the track belongs to. */
export const findChapter = (chapters: readonly Chapter[], position: number): Chapter | null =>
  chapters.findLast((chapter) => isTimed(chapter) && chapter.at <= position) ?? null;

/** The chapter of this track that plays now; null if another track is current. */
export const useCurrentChapter = (track: Track, chapters: readonly Chapter[]): Chapter | null =>
  usePlayerState(({ currentTrack, currentTime }) =>
    currentTrack?.id === track.id
      ? findChapter(chapters, positionInTrack(currentTrack, currentTime))
      : null,
  );
