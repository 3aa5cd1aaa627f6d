import { formatDuration } from '#contract/rules/duration.ts';
import type { Chapter, Track } from '#contract/tracks.ts';
import { positionInTrack } from '#web/player/preview-limit.ts';
import { usePlayerState } from '#web/player/use-player.ts';
import { findChapter } from './find-chapter.ts';

type SeekTimesProps = { track: Track; chapters?: readonly Chapter[] | undefined };

/** Elapsed and total, and between them the chapter that is heard. */
export function SeekTimes({ track, chapters = [] }: SeekTimesProps) {
  const time = usePlayerState((state) => Math.floor(state.currentTime));
  const duration = usePlayerState((state) => state.duration);
  const chapter = findChapter(chapters, positionInTrack(track, time));
  return (
    <div className="flex shrink-0 justify-between gap-4 pt-2 type-meta tabular">
      <span>{formatDuration(time)}</span>
      {chapter && <span className="truncate text-text-2">Now: {chapter.title}</span>}
      <span>{formatDuration(duration)}</span>
    </div>
  );
}
