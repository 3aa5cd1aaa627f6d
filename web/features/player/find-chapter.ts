import type { Chapter } from '#contract/tracks.ts';

/** The chapter that a moment of the mix belongs to. */
export const findChapter = (chapters: readonly Chapter[], position: number): Chapter | null =>
  chapters.findLast((chapter) => chapter.at <= position) ?? null;
