import { Lock, Play } from '#web/ui/icons.ts';
import { formatDuration } from '#contract/rules/time.ts';
import type { Chapter, TrackDetail } from '#contract/tracks.ts';
import { findInFile } from '#web/player/find-in-file.ts';
import { isTimed, useCurrentChapter } from '#web/player/view/current-chapter.ts';
import { useTrackPlayback } from '#web/player/view/use-track-playback.ts';
import { Dot } from '#web/ui/facts.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';

/** The chapter names under the waveform. Where they don’t fit, only the current one. */
export function ChapterMarks({ track }: { track: TrackDetail }) {
  const current = useCurrentChapter(track, track.chapters);
  const chapters = track.chapters.filter(isTimed);
  if (track.access !== 'full' || chapters.length === 0) return null;
  return (
    <>
      <ol aria-hidden className="relative mt-2 h-11 @max-4xl/content:hidden">
        {chapters.map((chapter, i) => {
          const start = chapter.at / track.duration;
          const end = (chapters[i + 1]?.at ?? track.duration) / track.duration;
          return (
            <li
              key={chapter.at}
              className={`@container absolute top-0 h-9 overflow-hidden border-l-[1.5px] pl-[7px] text-12 leading-[1.3] text-text-2 ${chapter === current ? 'border-week' : 'border-week-rest'}`}
              style={{ left: `${start * 100}%`, width: `calc(${(end - start) * 100}% - 8px)` }}
            >
              <b
                className={`block truncate font-semibold @max-[3.5rem]:hidden ${chapter === current ? 'text-week' : 'text-text'}`}
              >
                {chapter.title}
              </b>
              <span className="block truncate @max-[3.5rem]:hidden">{chapter.artist}</span>
            </li>
          );
        })}
      </ol>
      {current && (
        <p className="flex min-h-11 items-center truncate text-12 text-text-2 @4xl/content:hidden">
          <b className="font-semibold text-week">{current.title}</b>
          {current.artist && (
            <span>
              <By />
              {current.artist}
            </span>
          )}
        </p>
      )}
    </>
  );
}

/** Between a title and its artist: a dot to see, a word to hear. */
const By = () => (
  <>
    <span className="sr-only"> by </span>
    <span aria-hidden>
      <Dot />
    </span>
  </>
);

export function Tracklist({ track }: { track: TrackDetail }) {
  const current = useCurrentChapter(track, track.chapters);
  return (
    <section aria-labelledby="tracklist" data-week={track.weekNumber}>
      <h2 id="tracklist" className="mb-2.5 type-section">
        Tracklist
      </h2>
      {track.chapters.length === 0 ? (
        <p className="text-text-2">No tracklist for this mix yet.</p>
      ) : (
        <ol>
          {track.chapters.map((chapter, index) => (
            <ChapterRow
              key={index}
              chapter={chapter}
              track={track}
              isCurrent={chapter === current}
            />
          ))}
        </ol>
      )}
    </section>
  );
}

type ChapterRowProps = { chapter: Chapter; track: TrackDetail; isCurrent: boolean };

function ChapterRow({ chapter, track, isCurrent }: ChapterRowProps) {
  const { playFrom } = useTrackPlayback(track, () => [track]);
  const start = chapter.at === null ? null : findInFile(chapter.at, track);
  return (
    <li
      aria-current={isCurrent || undefined}
      className="grid min-h-12 grid-cols-[64px_minmax(0,1fr)_44px] items-center border-t border-line"
    >
      <span className="tabular text-text-3">
        {chapter.at === null ? '' : formatDuration(chapter.at)}
      </span>
      <span className="min-w-0 py-2 break-words">
        <span className={`font-semibold ${isCurrent ? 'text-week' : ''}`}>{chapter.title}</span>
        {chapter.artist && (
          <span className="type-meta">
            <By />
            {chapter.artist}
          </span>
        )}
      </span>
      {chapter.at === null ? null : start === null ? (
        <span className="grid place-items-center text-text-3">
          <Lock className="size-[18px]" />
          <span className="sr-only">Premium only</span>
        </span>
      ) : (
        <IconButton label={`Play from ${chapter.title}`} onClick={() => playFrom(start)}>
          <Play />
        </IconButton>
      )}
    </li>
  );
}
