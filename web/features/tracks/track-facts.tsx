import { formatDuration } from '#contract/rules/duration.ts';
import type { Track } from '#contract/tracks.ts';
import { usePlayerState } from '#web/player/use-player.ts';
import { PREVIEW_LENGTH_TEXT } from '#contract/rules/preview.ts';

/** `Amapiano · 113 BPM · 59:27`, and what else there is to say. */
export function TrackFacts({ track, more = [] }: { track: Track; more?: readonly string[] }) {
  const facts = [
    ...(track.bpm ? [`${track.bpm} BPM`] : []),
    formatDuration(track.duration),
    ...more,
  ];
  return (
    <p className="type-meta tabular">
      {track.genre && <b className="font-semibold text-text-2">{track.genre} · </b>}
      {facts.join(' · ')}
    </p>
  );
}

/** What pressing play gives, in words. The limit is told before it bites. */
export function PlayWords({ track, className = '' }: { track: Track; className?: string }) {
  const isFull = track.access === 'full';
  const isPlaying = usePlayerState(
    (state) => state.isPlaying && state.currentTrack?.id === track.id,
  );
  const play = isFull ? 'Play' : 'Play preview';
  return (
    <div aria-hidden className={className}>
      <strong className="block text-16 font-semibold">{isPlaying ? 'Playing' : play}</strong>
      <span className="type-meta">{isFull ? 'The full mix' : `${PREVIEW_LENGTH_TEXT}, free`}</span>
    </div>
  );
}
