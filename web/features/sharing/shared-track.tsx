import { formatDuration } from '#contract/rules/time.ts';
import { PREVIEW_LENGTH_TEXT, PREVIEW_SECONDS } from '#contract/rules/preview.ts';
import type { Track, TrackDetail } from '#contract/tracks.ts';
import { findChapter } from '#web/player/view/current-chapter.ts';
import { DataLine } from '#web/player/view/data-line.tsx';
import { TrackWaveform } from '#web/player/view/track-waveform.tsx';
import { useTrackPlayback, useWarmUp } from '#web/player/view/use-track-playback.ts';
import { PlayButton } from '#web/ui/play-button.tsx';
import { findLinkedStart } from './share-link.ts';
import { SharedSleeve, SharedStage, sharedWaveformClass } from './shared-stage.tsx';

type SharedTrackProps = {
  track: TrackDetail;
  /** The second of the track that the link asks for. */
  second: number | null;
  heading?: 'h1' | 'h2';
  /** Playback has started at that second: going back must not start it there again. */
  onStartFromLink: () => void;
};

/** A mix that someone sent: what it is, and its preview with one tap. */
export function SharedTrack({ track, second, heading, onStartFromLink }: SharedTrackProps) {
  const { weekNumber, description, chapters, duration, previewStart } = track;
  const start = findLinkedStart(second, track);
  const chapter = findChapter(chapters, previewStart + (start ?? 0));
  return (
    <SharedStage
      week={weekNumber}
      title={track.title}
      {...(heading && { heading })}
      lead={description}
      kicker={describeMix(track)}
      art={<SharedSleeve track={track} />}
      play={
        <>
          <SharedPlay
            track={track}
            start={start}
            onStartFromLink={onStartFromLink}
            note="Free, no account"
          />
          {chapter && (
            <p className="type-meta @max-xl:sr-only @xl:ml-auto">
              In it: {[chapter.title, chapter.artist].filter(Boolean).join(', ')}
            </p>
          )}
        </>
      }
    >
      <TrackWaveform track={track} isExplained className={sharedWaveformClass} />
      <p className="mt-2.5 type-meta tabular">
        {duration > PREVIEW_SECONDS &&
          `These ${PREVIEW_LENGTH_TEXT} are ${formatDuration(previewStart)} to ${formatDuration(previewStart + PREVIEW_SECONDS)} of ${formatDuration(duration)}.`}
        {second !== null && start === null && second < duration && (
          <> The link starts at {formatDuration(second)}: with Premium you hear it from there.</>
        )}
      </p>
    </SharedStage>
  );
}

/** `Week 46, 2026 · Nomsa Deep · Amapiano` */
const describeMix = ({ weekNumber, year, artists = [], genre }: Track): string =>
  [`Week ${weekNumber}, ${year}`, artists.map(({ name }) => name).join(', '), genre]
    .filter(Boolean)
    .join(' · ');

type SharedPlayProps = {
  track: Track;
  note: string;
  /** Where a link starts in the preview; null at its beginning. */
  start?: number | null;
  onStartFromLink?: () => void;
};

/** Plays the preview, and says so. */
export function SharedPlay({ track, note, start = null, onStartFromLink }: SharedPlayProps) {
  const { isCurrent, isActive, toggle, playFrom } = useTrackPlayback(track, () => [track]);
  const warmUp = useWarmUp(track);
  function press(): void {
    if (isCurrent || start === null) return toggle();
    playFrom(start);
    onStartFromLink?.();
  }
  return (
    <>
      <PlayButton
        {...warmUp}
        size="xl"
        label={isActive ? 'Pause' : 'Play preview'}
        isPlaying={isActive}
        onClick={press}
      />
      <div className="min-w-0">
        <strong aria-hidden className="block text-16 font-semibold">
          {isActive
            ? 'Playing'
            : !isCurrent && start !== null
              ? `Play from ${formatDuration(track.previewStart + start)}`
              : `Play ${PREVIEW_LENGTH_TEXT}`}
        </strong>
        <span className="block type-meta">{note}</span>
        <DataLine key={track.fileUrl} track={track} />
      </div>
    </>
  );
}
