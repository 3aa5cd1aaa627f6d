import type { ComponentProps } from 'react';
import type { Track } from '#contract/tracks.ts';
import { PlayButton } from '#web/ui/play-button.tsx';
import { useTrackPlayback, useWarmUp } from './use-track-playback.ts';

type TrackPlayButtonProps = Pick<
  ComponentProps<typeof PlayButton>,
  'size' | 'isOnSleeve' | 'className'
> & {
  track: Track;
  /** The list it belongs to. */
  queue: readonly Track[];
  /** The name of that list; not needed if it is just this track. */
  source?: string;
  /** Part of its label if the title isn't next to it: `Play: Golden Hour Pressure`. */
  name?: string;
};

export function TrackPlayButton({ track, queue, source, name, ...look }: TrackPlayButtonProps) {
  const { isActive, toggle } = useTrackPlayback(track, () => queue, source);
  const warmUp = useWarmUp(track);
  const play = track.access === 'full' ? 'Play' : 'Play preview';
  const label = isActive ? 'Pause' : play;
  return (
    <PlayButton
      {...look}
      {...warmUp}
      label={name ? `${label}: ${name}` : label}
      isPlaying={isActive}
      onClick={toggle}
    />
  );
}
