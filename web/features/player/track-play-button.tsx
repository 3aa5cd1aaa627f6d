import type { ComponentProps } from 'react';
import type { Track } from '#contract/tracks.ts';
import { PlayButton } from '#web/ui/play-button.tsx';
import { useTrackPlayback, useWarmUp } from './use-track-playback.ts';

type TrackPlayButtonProps = Pick<ComponentProps<typeof PlayButton>, 'size' | 'className'> & {
  track: Track;
  /** The list it belongs to. */
  queue: readonly Track[];
  /** Part of its label if the title isn't next to it: `Play: Golden Hour Pressure`. */
  name?: string;
};

export function TrackPlayButton({ track, queue, name, ...look }: TrackPlayButtonProps) {
  const { isActive, toggle } = useTrackPlayback(track, queue);
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
