import { formatDuration } from '#contract/rules/duration.ts';
import type { Track } from '#contract/tracks.ts';
import { usePlayerState } from '#web/player/use-player.ts';

/** Elapsed and total of a track on its own page, whether it plays or not. */
export function TrackTimes({ track }: { track: Track }) {
  const time = usePlayerState((state) =>
    state.currentTrack?.id === track.id ? Math.floor(state.currentTime) : 0,
  );
  return (
    <div className="flex justify-between pt-2 type-meta tabular">
      <span>{formatDuration(time)}</span>
      <span>{formatDuration(track.duration)}</span>
    </div>
  );
}
