import { formatDuration } from '#contract/rules/time.ts';
import type { Track } from '#contract/tracks.ts';
import { resumeAt } from '#web/player/session/resume-positions.ts';
import { usePlayerState } from '#web/player/use-player.ts';
import { ArtistLinks } from '#web/ui/artist-links.tsx';
import { Facts } from '#web/ui/facts.tsx';
import { PREVIEW_LENGTH_TEXT } from '#contract/rules/preview.ts';

/** `Amapiano · 113 BPM · 59:27`, followed by `more`; artists come first. */
export function TrackFacts({ track, more = [] }: { track: Track; more?: readonly string[] }) {
  return (
    <p className="type-meta tabular">
      <Facts>
        {track.artists && <ArtistLinks artists={track.artists} />}
        {track.genre && <b className="font-semibold text-text-2">{track.genre}</b>}
        {track.bpm && `${track.bpm} BPM`}
        {formatDuration(track.duration)}
        {more}
      </Facts>
    </p>
  );
}

type PlayLabelProps = {
  track: Track;
  /** The second that a link to the track asks for. */
  startAt?: number | null;
  className?: string;
};

/** Says what the play button does: play, resume or play the preview. */
export function PlayLabel({ track, startAt = null, className = '' }: PlayLabelProps) {
  const isFull = track.access === 'full';
  const isPlaying = usePlayerState(
    (state) => state.isPlaying && state.currentTrack?.id === track.id,
  );
  const resumeSeconds = resumeAt(track, null);
  const [title, note] = !isFull
    ? ['Play preview', `${PREVIEW_LENGTH_TEXT}, free`]
    : startAt !== null
      ? ['Play', `from ${formatDuration(startAt)}`]
      : resumeSeconds > 0
        ? ['Resume', `from ${formatDuration(resumeSeconds)}`]
        : ['Play', 'The full mix'];
  return (
    <div aria-hidden className={className}>
      <strong className="block text-16 font-semibold">{isPlaying ? 'Playing' : title}</strong>
      <span className="type-meta">{note}</span>
    </div>
  );
}
